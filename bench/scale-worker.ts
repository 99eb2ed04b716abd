/** A process of `bench/scale.ts` that takes jobs and does nothing. Arguments: URL, name, concurrency. */
import { openPgBossQueue } from '../src/jobs/pg-boss.ts';
import { openDatabase } from '../src/storage/database.ts';

const [url = '', name = '', concurrency = '1'] = process.argv.slice(2);
const onError = (error: unknown) => console.error(error);
const { database, notices } = await openDatabase({ kind: 'postgres', url, poolSize: 5 }, { onError });
const queue = await openPgBossQueue({ url, database, notices, clock: Date.now, onError });
queue.work(name, {
  concurrency: Number(concurrency),
  maxAttempts: 1,
  run: async (key) => void process.send?.({ key, at: performance.timeOrigin + performance.now() }),
  giveUp: async () => undefined,
});
process.send?.('ready');
