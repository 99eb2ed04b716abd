/** Child process that converts one HEIC photo and is then ended, so that a malicious file cannot affect any other photo. */
import { Worker } from 'node:worker_threads';
import type { ImageLimits } from 'packshot-photos';
import { convertHeic } from 'packshot-photos/heic';
import type { GuardLimits } from './memory-guard.ts';
import { serveTasks } from './serve-tasks.ts';

export interface HeicTask {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
  readonly guard: GuardLimits;
}

serveTasks({
  convert({ bytes, limits, guard }: HeicTask) {
    // V8's limits do not cover WebAssembly memory, and this thread's timers do not run while the decoder does. So another
    // thread watches the memory.
    new Worker(new URL('./memory-guard.ts', import.meta.url), { workerData: guard, execArgv: [] }).unref();
    return convertHeic(bytes, limits);
  },
});
