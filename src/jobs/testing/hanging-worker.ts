/** For tests, a process of its own: takes two jobs of `cut`, tells their keys, and never ends them. */
import { openDatabase } from '../../storage/database.ts';
import { openPgBossQueue } from '../pg-boss.ts';

const url = process.argv[2]!;
const { database, notices } = await openDatabase({ kind: 'postgres', url, poolSize: 2 });
const queue = await openPgBossQueue({ url, database, notices, clock: Date.now, onError: () => undefined });
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
