/**
 * Opens the ISNet graph for ONNX Runtime. The packaged graph has six outputs and fp16 numbers. Rewriting and optimizing
 * it takes 1.1 s. A cached copy of the optimized graph saves that time at every start after the first.
 */
import type { InferenceSession } from '../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { ISNET_SHA256, readIsnetWeights } from './isnet-weights.ts';
import { type OnnxProvider, type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';
import { widenNumbers } from './widen-numbers.ts';

/** Must change whenever the code makes a different graph from the same weights. */
const graphRevision = 'free-size-2';

export function openIsnetSession(settings: OnnxSessionSettings): Promise<InferenceSession> {
  const sha256 = `${ISNET_SHA256} ${graphRevision}`;
  const load = () => loadGraph(settings.provider ?? 'cpu');
  return openOnnxSession({ cacheName: 'isnet', sha256, load }, settings);
}

/**
 * Returns a graph that accepts input of any size and has one output. The other outputs are for training; they are
 * removed, and so are the side branches that only they need. On a CPU, the graph computes in fp32. At 1024 px, a run
 * then takes 0.8 of the original graph's processor time. Its output differs from the original's only by rounding: in
 * one pixel of a thousand, by one level of 255.
 */
async function loadGraph(provider: OnnxProvider): Promise<Uint8Array> {
  const freed = freeInputSize(await readIsnetWeights(), { input: 'input', output: 'output' });
  return provider === 'cpu' ? widenNumbers(freed) : freed;
}
