/** The queue of the embedded mode: a small table beside the designs, worked on by the one process that serves them. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Database } from '../storage/database.ts';
import type { JobHandler, Queue } from './queue.ts';

/** `wake` starts jobs at once; the poll only finds what has become due again after a pause. */
const pollMs = 500;
/** Pauses double from here to the cap: short enough that a full disk is forgotten within 10 s of being freed. */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

interface Worker {
  readonly handler: JobHandler;
  readonly running: Map<string, Promise<void>>;
}

/** `onError` hears of what no caller could: a failed look at the table, a handler's failed last word. */
export function openEmbeddedQueue(
  database: Database,
  options: { clock: () => number; onError: (error: unknown) => void },
): Queue {
  const workers = new Map<string, Worker>();
  /** Pauses in a row of one job, kept here alone: after a restart the first try is at once. */
  const pauses = new Map<string, number>();
  let closing = false;

  async function startDueJobs(name: string, worker: Worker): Promise<void> {
    const free = worker.handler.concurrency - worker.running.size;
    if (closing || free <= 0) return;
    let query = database
      .selectFrom('jobs')
      .select(['id', 'key', 'attempts'])
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

  async function runJob(
    handler: JobHandler,
    job: { id: string; key: string; attempts: number },
  ): Promise<void> {
    // Rows are read and written without a pause: a thousand short jobs would keep the process from all else.
    await nextTurn();
    try {
      await handler.run(job.key);
      await removeJob(job.id);
    } catch (error) {
      if (closing) return;
      const counts = !(error instanceof PackshotError && error.retryable);
      const attempts = job.attempts + (counts ? 1 : 0);
      if (attempts < handler.maxAttempts) {
        await postpone(job.id, attempts);
        return;
      }
      await giveUp(handler, job, error);
    }
  }

  async function giveUp(
    handler: JobHandler,
    job: { id: string; key: string; attempts: number },
    error: unknown,
  ) {
    try {
      await handler.giveUp(job.key, error);
      await removeJob(job.id);
    } catch (failure) {
      // The last try is not written down: the job runs once more and then says its last word anew.
      await postpone(job.id, job.attempts);
      throw failure;
    }
  }

  async function removeJob(id: string): Promise<void> {
    pauses.delete(id);
    await database.deleteFrom('jobs').where('id', '=', id).execute();
  }

  async function postpone(id: string, attempts: number): Promise<void> {
    const earlier = pauses.get(id) ?? 0;
    pauses.set(id, earlier + 1);
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** earlier);
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

  const look = (name: string, worker: Worker) => void startDueJobs(name, worker).catch(options.onError);
  const wake = () => {
    for (const [name, worker] of workers) look(name, worker);
  };
  const poll = setInterval(wake, pollMs).unref();

  return {
    async enqueue(name, keys, transaction, { delayMs = 0, rank = 0 } = {}) {
      const now = options.clock();
      await transaction
        .insertInto('jobs')
        .values(
          [keys].flat().map((key) => ({
            id: newId('job'),
            name,
            key,
            attempts: 0,
            run_at: now + delayMs,
            created_at: now,
            rank,
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
    async findOldest(name) {
      const { oldest } = await database
        .selectFrom('jobs')
        .select(({ fn }) => fn.min<number | null>('created_at').as('oldest'))
        .where('name', '=', name)
        .where('rank', '>=', 0)
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
