/**
 * A worker process of `bench/scale.ts`. Its jobs do nothing; a job whose key begins with `hang`
 * never ends. Arguments: database URL, job name, concurrency, module of the queue.
 */
import { pathToFileURL } from 'node:url';
import type { Queue } from '../src/jobs/queue.ts';
import { openDatabase } from '../src/storage/database.ts';

const [url = '', name = '', concurrency = '1', path = ''] = process.argv.slice(2);
const { openQueue } = await import(pathToFileURL(path).href);
const onError = (error: unknown) => console.error(error);
const { database, notices } = await openDatabase({ kind: 'postgres', url, poolSize: 5 }, { onError });
const queue: Queue = await openQueue({ database, notices, clock: Date.now, sharedUrl: url, onError });
queue.work(name, {
  concurrency: Number(concurrency),
  maxAttempts: 1,
  async run(key) {
    process.send?.({ key, at: performance.timeOrigin + performance.now() });
    if (key.startsWith('hang')) await new Promise(() => undefined);
  },
  giveUp: async () => undefined,
});
process.send?.('ready');
