/**
 * Compares queues on PostgreSQL: `node bench/queue.ts [MODULE …]`, for modules that export a function `openQueue`
 * with the same signature as in `src/jobs/open-queue.ts`. Prints each round, then the best figures of each queue, with
 * their ratios to the queue of this checkout in the same run.
 */
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../src/storage/database.ts';
import { startPostgres } from '../src/storage/testing/postgres-server.ts';
import { benchDispatch, importQueue, ownQueue, startWorker } from './scale-dispatch.ts';

const rounds = 2;
const longestMs = 60_000;
/**
 * Time in ms from the start of the second worker to the kill of the first: long enough for a worker to renew its claims
 * a few times.
 */
const settledMs = 6_000;

interface Figures {
  readonly jobsPerS: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Connections of one worker process with one job name, including those for the service's rows. */
  readonly connections: number;
  /** Seconds from `kill -9` of a worker to the start of its job in another worker; infinite beyond a minute. */
  readonly killedS: number;
  /**
   * Seconds from the restart of a stopped database to the start of a new job; infinite beyond a minute.
   */
  readonly returnedS: number;
}

const nameOf = (path: string) => basename(path, '.ts');

const server = await startPostgres();
try {
  const paths = [ownQueue, ...process.argv.slice(2)];
  // Warm up the database server, so that the first queue is not measured on a cold server.
  await benchDispatch(await server.createDatabase(), { workers: 1, jobs: 200, singles: 5 });
  const all = new Map<string, Figures[]>(paths.map((path) => [path, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const path of paths) {
      const figures = await bench(path);
      all.get(path)!.push(figures);
      console.log(`round ${round}, ${nameOf(path)}: ${JSON.stringify(figures)}`);
    }
  }
  const own = best(all.get(ownQueue)!);
  for (const [path, figures] of all) print(nameOf(path), best(figures), own);
} finally {
  await server.stop();
}

async function bench(path: string): Promise<Figures> {
  const dispatch = await benchDispatch(await server.createDatabase(), {
    workers: 2,
    jobs: 1_500,
    singles: 100,
    path,
  });
  return { ...dispatch, ...(await benchFaults(await server.createDatabase(), path)) };
}

async function benchFaults(url: string, path: string) {
  const onError = () => undefined;
  const { database, notices, close } = await openDatabase(
    { kind: 'postgres', url, poolSize: 4 },
    { onError },
  );
  const open = await importQueue(path);
  const queue = await open({ database, notices, clock: Date.now, sharedUrl: url, onError });
  const begun: { readonly key: string; readonly at: number }[] = [];
  const start = () =>
    startWorker({ url, name: 'bench', concurrency: 1, path }, (job) => void begun.push(job));
  async function enqueue(key: string): Promise<void> {
    await queue.enqueue('bench', key, database);
    queue.wake();
  }
  async function untilBegun(count: number): Promise<number> {
    const until = Date.now() + longestMs;
    while (begun.length < count && Date.now() < until) await sleep(5);
    return begun[count - 1]?.at ?? Number.POSITIVE_INFINITY;
  }
  const before = await countConnections(url);
  const killed = await start();
  await enqueue('hang');
  await untilBegun(1);
  const connections = (await countConnections(url)) - before;
  const other = await start();
  try {
    await sleep(settledMs);
    const killedAt = performance.timeOrigin + performance.now();
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const killedS = ((await untilBegun(2)) - killedAt) / 1000;
    const third = await start();
    await server.halt('fast');
    await sleep(5_000);
    await server.start();
    const returnedAt = performance.timeOrigin + performance.now();
    const count = begun.length;
    for (let key = 0; begun.length === count && key < 100; key++) {
      await enqueue(`new-${key}`).catch(onError);
      await sleep(100);
    }
    const returnedS = ((await untilBegun(count + 1)) - returnedAt) / 1000;
    third.kill('SIGKILL');
    return { connections, killedS, returnedS };
  } finally {
    other.kill('SIGKILL');
    await Promise.race([queue.close({ graceMs: 100 }), sleep(2_000)]);
    await close();
  }
}

async function countConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as count from pg_stat_activity where datname = current_database()',
  );
  await client.end();
  return rows[0].count;
}

/** Returns the best value of each figure over all rounds, because a busy machine only makes figures worse. */
function best(rounds: readonly Figures[]): Figures {
  const least = (name: keyof Figures) => Math.min(...rounds.map((figures) => figures[name]));
  return {
    jobsPerS: Math.max(...rounds.map(({ jobsPerS }) => jobsPerS)),
    medianMs: least('medianMs'),
    p95Ms: least('p95Ms'),
    connections: least('connections'),
    killedS: least('killedS'),
    returnedS: least('returnedS'),
  };
}

function print(name: string, figures: Figures, own: Figures): void {
  const cells = (Object.keys(own) as (keyof Figures)[]).map((key) => {
    const ratio = figures[key] / own[key];
    return `${key} ${figures[key].toFixed(1)} (× ${ratio.toFixed(2)})`;
  });
  console.log(`${name}: ${cells.join(', ')}`);
}
