/**
 * Opens the ISNet graph for ONNX Runtime. Its weights arrive as fp16 with casts around every operator and six outputs:
 * optimising that takes 1.1 s, which the cached copy (fp32) spares every start but the first.
 */
import type { InferenceSession } from '../../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';

/** Goes up whenever another graph is made of the same weights. */
const graphRevision = 'free-size-1';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  const sha256 = `${ISNET_SHA256} ${graphRevision}`;
  return openOnnxSession({ cacheName: 'isnet', sha256, load: loadGraph }, settings);
}

/**
 * For input of any size, without the training's six side branches: 0.89 of the time at 1024 px, and bit for bit the same
 * answer until ONNX Runtime lays it out for the CPU at hand, which rounds differently in either graph.
 */
async function loadGraph(): Promise<Uint8Array> {
  const freed = freeInputSize(await readIsnetWeights(), { input: 'input', output: 'output' });
  // The weights are the measured ones, so this is a fault of ours.
  if (!freed.isFree) throw new Error(`the removal model keeps its input size: ${freed.why}`);
  return freed.model;
}
