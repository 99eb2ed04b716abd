/**
 * Makes ONNX Runtime take the memory for passes of ISNet in a few large blocks.
 *
 * ONNX Runtime takes memory in blocks and keeps them (its arena). A pass at 512 px, which most photos begin with, takes
 * blocks that are too small for the tensors of a pass at 1024 px, which then takes larger ones in addition. If the
 * first blocks fit the largest tensors, all sizes share them: after passes at 512, 640, 768 and 1024 px, the process
 * has 0.60 GB instead of 0.87 GB, and the passes take the same time.
 */
import { type InferenceSession, Tensor } from '../onnxruntime.ts';

/**
 * Side of the input that reserves the memory, just above the largest input of a pass, 1024 px. Blocks for 992 px were
 * too small: the process then had 0.73 GB. The run is meant to fail early: because the side is not a multiple of 64,
 * the first two tensors that the network joins differ in size. By then, the run has taken the memory for its largest
 * tensors, in an eighth of the time of a full pass.
 */
const SIDE_PX = 1056;
/** Fatal errors only: the error is intended. */
const LOG_LEVEL = 4;

/** Resolves once the blocks are taken; they are free for the next pass. */
export async function reserveArena(session: InferenceSession): Promise<void> {
  const input = new Tensor('float32', new Float32Array(3 * SIDE_PX ** 2), [1, 3, SIDE_PX, SIDE_PX]);
  await session.run({ input }, ['output'], { logSeverityLevel: LOG_LEVEL }).catch(() => undefined);
}
