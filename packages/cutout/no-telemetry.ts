/**
 * Must be imported before onnxruntime: the Linux build of onnxruntime sends telemetry by default, and stores a device
 * ID and an event queue in the home folder. This service sends no data to anyone.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
