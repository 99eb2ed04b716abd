/** Child process that converts one HEIC photo and exits, so that a malicious file cannot affect any other photo. */
import { Worker } from 'node:worker_threads';
import { convertHeic } from '../designs/heic/convert-heic.ts';
import type { ImageLimits } from '../designs/image-limits.ts';
import { hideEnvironment } from '../hide-environment.js';
import type { GuardLimits } from './memory-guard.ts';
import { answerTask } from './serve-tasks.ts';

export interface HeicTask {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
  readonly guard: GuardLimits;
}

hideEnvironment();
// Ctrl-C reaches the whole process group, but the parent decides when its children end.
process.on('SIGINT', () => undefined);
process.once('message', async ({ bytes, limits, guard }: HeicTask) => {
  // V8's limits do not cover WebAssembly memory, and this thread's timers do not run while the decoder does. So another
  // thread watches the memory.
  new Worker(new URL('./memory-guard.ts', import.meta.url), { workerData: guard, execArgv: [] }).unref();
  const answer = await answerTask(() => convertHeic(bytes, limits), undefined);
  process.send?.(answer, () => process.exit());
});
process.on('disconnect', () => process.exit());
