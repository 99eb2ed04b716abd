/** The only module that imports onnxruntime, so that its telemetry is always off. */
import '../no-telemetry.ts';

export { InferenceSession, Tensor } from 'onnxruntime-node';
