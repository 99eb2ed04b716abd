/**
 * Imported before onnxruntime: its Linux build sends telemetry by default, and stores a device id and a queue
 * of events in the home folder. Photos never leave this machine, and neither does anything else.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
