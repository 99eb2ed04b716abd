/** For tests: a child that allocates memory without end, in one synchronous task that blocks timers. */
import { Worker } from 'node:worker_threads';
import type { HeicTask } from '../heic-worker.ts';

process.once('message', ({ guard }: HeicTask) => {
  new Worker(new URL('../memory-guard.ts', import.meta.url), { workerData: guard, execArgv: [] }).unref();
  const taken: Buffer[] = [];
  // Stops by itself if no guard kills it.
  while (taken.length < 4_000) taken.push(Buffer.alloc(1e6, 1));
  process.send?.({ ok: true, value: new Uint8Array(1) });
});
