/** A child process that runs the bare model once per message: the baseline of the cutout and memory benchmarks. */
import { availableParallelism } from 'node:os';
import { openIsnetSession } from '../packages/cutout/src/engines/isnet-session.ts';
import { Tensor } from '../packages/cutout/src/onnxruntime.ts';

const side = 1024;
const session = await openIsnetSession({
  threads: Math.min(4, availableParallelism()),
  cacheDir: process.argv[2]!,
});
const tensor = new Tensor('float32', new Float32Array(3 * side * side).fill(0.1), [1, 3, side, side]);
await session.run({ input: tensor }, ['output']);
process.send!('ready');

process.on('message', async () => {
  const startedAt = performance.now();
  await session.run({ input: tensor }, ['output']);
  process.send!(performance.now() - startedAt);
});
