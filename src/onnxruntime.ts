/** The only door to onnxruntime, so that nobody can open it with its telemetry on. */
import './no-telemetry.ts';

export { InferenceSession, Tensor } from 'onnxruntime-node';
