/** For tests: a child whose single synchronous task keeps allocating memory and blocks timers. */
import { Worker } from 'node:worker_threads';
import type { HeicTask } from '../heic-worker.ts';
import { serveTasks } from '../serve-tasks.ts';

serveTasks({
  convert({ guard }: HeicTask) {
    new Worker(new URL('../memory-guard.ts', import.meta.url), { workerData: guard, execArgv: [] }).unref();
    const taken: Buffer[] = [];
    // The task stops by itself if no guard kills the process.
    while (taken.length < 4_000) taken.push(Buffer.alloc(1e6, 1));
    return new Uint8Array(1);
  },
});
