/** The queue of the embedded mode: a small table beside the designs, worked on by the one process that serves them. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { JobRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import { createDeadJobStore } from './dead-jobs.ts';
import { prioritiesOf, takeTurns } from './fair-turns.ts';
import { pauseAfter } from './pauses.ts';
import type { JobHandler, JobTurn, Queue } from './queue.ts';

/** `wake` starts jobs at once; the poll only finds what has become due again after a pause. */
const pollMs = 500;
/** SQLite orders text by its bytes: what begins with a prefix lies between it and this after it. */
const lastCharacter = '\u{10ffff}';

interface Worker {
  readonly handler: JobHandler;
  readonly running: Map<string, Promise<void>>;
}

type Job = Pick<JobRow, 'id' | 'name' | 'key' | 'attempts' | 'created_at'>;

/** `onError` hears of what no caller could: a failed look at the table, a handler's failed last word. */
export function openEmbeddedQueue(
  database: Database,
  options: { clock: () => number; onError: (error: unknown) => void },
): Queue {
  const workers = new Map<string, Worker>();
  const deadJobs = createDeadJobStore(database, options.clock);
  /** Pauses in a row of one job, kept here alone: after a restart the first try is at once. */
  const pauses = new Map<string, number>();
  let closing = false;

  async function startDueJobs(name: string, worker: Worker): Promise<void> {
    const free = worker.handler.concurrency - worker.running.size;
    if (closing || free <= 0) return;
    let query = database
      .selectFrom('jobs')
      .select(['id', 'name', 'key', 'attempts', 'created_at'])
      .where('name', '=', name)
      .where('run_at', '<=', options.clock())
      .orderBy('rank', 'desc')
      .orderBy('created_at')
      .limit(free);
    if (worker.running.size > 0) query = query.where('id', 'not in', [...worker.running.keys()]);
    for (const job of await query.execute()) {
      // Another look may have come first while this one waited for its answer.
      if (closing || worker.running.has(job.id) || worker.running.size >= worker.handler.concurrency)
        continue;
      const work = runJob(worker.handler, job)
        .catch(options.onError)
        .finally(() => {
          worker.running.delete(job.id);
          look(name, worker);
        });
      worker.running.set(job.id, work);
    }
  }

  async function runJob(handler: JobHandler, job: Job): Promise<void> {
    // Rows are read and written without a pause: a thousand short jobs would keep the process from all else.
    await nextTurn();
    try {
      await handler.run(job.key);
      await removeJob(job.id);
      pauses.delete(job.id);
    } catch (error) {
      if (closing) return;
      const counts = !(error instanceof PackshotError && error.retryable);
      const attempts = job.attempts + (counts ? 1 : 0);
      if (attempts < handler.maxAttempts) {
        await postpone(job.id, attempts);
        return;
      }
      await giveUp(handler, { ...job, attempts }, error);
    }
  }

  async function giveUp(handler: JobHandler, job: Job, error: unknown): Promise<void> {
    try {
      await handler.giveUp(job.key, error);
      await transact(database, async (transaction) => {
        await removeJob(job.id, transaction);
        const createdAt = new Date(Number(job.created_at));
        await deadJobs.noteDeath({ ...job, createdAt }, error, transaction);
      });
      pauses.delete(job.id);
    } catch (failure) {
      // The last try is not written down: the job runs once more and then says its last word anew.
      await postpone(job.id, job.attempts - 1);
      throw failure;
    }
  }

  async function removeJob(id: string, transaction: DatabaseOrTransaction = database): Promise<void> {
    await transaction.deleteFrom('jobs').where('id', '=', id).execute();
  }

  async function postpone(id: string, attempts: number): Promise<void> {
    const earlier = pauses.get(id) ?? 0;
    pauses.set(id, earlier + 1);
    const pauseMs = pauseAfter(earlier);
    try {
      await database
        .updateTable('jobs')
        .set({ attempts, run_at: options.clock() + pauseMs })
        .where('id', '=', id)
        .execute();
    } catch (error) {
      // The storage that failed the job fails this as well: hold the job here, so that it does not spin.
      await sleep(pauseMs, undefined, { ref: false });
      throw error;
    }
  }

  /** For so many new jobs, in their order. */
  async function findPriorities(
    name: string,
    count: number,
    transaction: DatabaseOrTransaction,
    { rank = 0, accountId }: JobTurn,
  ): Promise<number[]> {
    const { highest, lowest } = prioritiesOf(rank);
    if (accountId === undefined) return Array<number>(count).fill(highest);
    const line = transaction
      .selectFrom('jobs')
      .where('name', '=', name)
      .where('rank', '>=', lowest)
      .where('rank', '<=', highest);
    const lowestOf = ({ fn }: { fn: typeof transaction.fn }) => fn.min<number | null>('rank').as('rank');
    const running = [...(workers.get(name)?.running.keys() ?? [])];
    const [next, last, own] = await Promise.all([
      line
        .select('rank')
        .where('run_at', '<=', options.clock())
        .$if(running.length > 0, (query) => query.where('id', 'not in', running))
        .orderBy('rank', 'desc')
        .limit(1)
        .executeTakeFirst(),
      line.select(lowestOf).executeTakeFirst(),
      line.select(lowestOf).where('account_id', '=', accountId).executeTakeFirst(),
    ]);
    return takeTurns(rank, count, {
      next: next?.rank,
      lowest: last?.rank ?? undefined,
      own: own?.rank ?? undefined,
    });
  }

  const look = (name: string, worker: Worker) => void startDueJobs(name, worker).catch(options.onError);
  const wake = () => {
    for (const [name, worker] of workers) look(name, worker);
  };
  const poll = setInterval(wake, pollMs).unref();

  return {
    async enqueue(name, keys, transaction, turn = {}) {
      const now = options.clock();
      const all = [keys].flat();
      const priorities = await findPriorities(name, all.length, transaction, turn);
      await transaction
        .insertInto('jobs')
        .values(
          all.map((key, i) => ({
            id: newId('job'),
            name,
            key,
            attempts: 0,
            run_at: now + (turn.delayMs ?? 0),
            created_at: now,
            rank: priorities[i]!,
            account_id: turn.accountId ?? null,
          })),
        )
        .onConflict((conflict) => conflict.columns(['name', 'key']).doNothing())
        .execute();
    },
    wake,
    async count(name) {
      const { count } = await database
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async countOf(name, accountId) {
      const { count } = await database
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('name', '=', name)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async listKeys(name, keyPrefix) {
      const rows = await database
        .selectFrom('jobs')
        .select('key')
        .where('name', '=', name)
        .where('key', '>=', keyPrefix)
        .where('key', '<', `${keyPrefix}${lastCharacter}`)
        .execute();
      return rows.map(({ key }) => key);
    },
    async isWaiting(name, key) {
      const job = await database
        .selectFrom('jobs')
        .select('id')
        .where('name', '=', name)
        .where('key', '=', key)
        .executeTakeFirst();
      return job !== undefined && !workers.get(name)?.running.has(job.id);
    },
    async survey() {
      const isDue = sql`run_at <= ${options.clock()}`;
      const rows = await database
        .selectFrom('jobs')
        .select(({ fn }) => ['name', fn.countAll<number>().as('all'), fn.min('created_at').as('oldest')])
        .select(sql<number>`sum(case when ${isDue} then 1 else 0 end)`.as('due'))
        .groupBy('name')
        .orderBy('name')
        .execute();
      return rows.map(({ name, all, due, oldest }) => ({
        name,
        waiting: Number(due),
        delayed: Number(all) - Number(due),
        running: undefined,
        oldest: new Date(Number(oldest)),
      }));
    },
    async findOldest(name) {
      const { oldest } = await database
        .selectFrom('jobs')
        .select(({ fn }) => fn.min<number | null>('created_at').as('oldest'))
        .where('name', '=', name)
        .where('rank', '>=', prioritiesOf(0).lowest)
        .executeTakeFirstOrThrow();
      return oldest === null ? undefined : new Date(Number(oldest));
    },
    work(name, handler) {
      const worker: Worker = { handler, running: new Map() };
      workers.set(name, worker);
      look(name, worker);
    },
    async close({ graceMs }) {
      clearInterval(poll);
      closing = true;
      const running = [...workers.values()].flatMap((worker) => [...worker.running.values()]);
      await Promise.race([Promise.all(running), sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
