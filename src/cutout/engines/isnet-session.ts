/**
 * Opens the ISNet graph for ONNX Runtime. Its weights arrive as fp16 with casts around every operator and six outputs:
 * optimising that takes 1.1 s, which the cached copy (fp32) spares every start but the first.
 */
import type { InferenceSession } from '../../onnxruntime.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  return openOnnxSession({ cacheName: 'isnet', sha256: ISNET_SHA256, load: readIsnetWeights }, settings);
}
