/**
 * Imported before onnxruntime: its Linux build reports to its maker unless told otherwise, and keeps a device's id and
 * a queue of events in the home folder for that. Photos never leave the house, and nothing else does either.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
