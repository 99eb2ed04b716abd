/**
 * Must be imported before onnxruntime: its Linux build sends telemetry by default, and stores a device id and
 * an event queue in the home folder. This service sends no data to anyone.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
