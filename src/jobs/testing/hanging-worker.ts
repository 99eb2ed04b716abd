/** For tests: a separate process that takes two `cut` jobs, reports their keys, and never finishes them. */
import { openDatabase } from '../../storage/database.ts';
import { openQueue } from '../open-queue.ts';

const url = process.argv[2]!;
const { database, notices } = await openDatabase({ kind: 'postgres', url, poolSize: 2 });
const queue = openQueue({ database, notices, clock: Date.now, sharedUrl: url, onError: () => undefined });
queue.work('cut', {
  concurrency: 2,
  maxAttempts: 1,
  async run(key) {
    process.send!(key);
    await new Promise(() => undefined);
  },
  giveUp: async () => undefined,
});
process.send!('ready');
