/**
 * Opens the ISNet graph for ONNX Runtime. The packaged graph has six outputs and fp16 numbers. Rewriting and optimizing it
 * takes 1.1 s. A cached copy of the optimized graph saves that time at every start after the first.
 */
import type { InferenceSession } from '../../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';
import { widenNumbers } from './widen-numbers.ts';

/** Must change whenever the code makes a different graph from the same weights. */
const graphRevision = 'free-size-2';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  const sha256 = `${ISNET_SHA256} ${graphRevision}`;
  return openOnnxSession({ cacheName: 'isnet', sha256, load: loadGraph }, settings);
}

/**
 * Returns an fp32 graph that accepts input of any size and has one output. The side branches that only the other outputs
 * need, which are used in training, are removed. At 1024 px, a run takes 0.8 of the original graph's time. The
 * outputs of both graphs differ only by rounding: at most by one level of 255, for about one pixel in a thousand.
 */
async function loadGraph(): Promise<Uint8Array> {
  const freed = freeInputSize(await readIsnetWeights(), { input: 'input', output: 'output' });
  // The weights match the pinned checksum, so this error would be a bug in our code.
  if (!freed.isFree) throw new Error(`the removal model keeps its input size: ${freed.why}`);
  return widenNumbers(freed.model);
}
