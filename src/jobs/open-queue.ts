/**
 * The queue: a table in the same database as the rows that need the work, so that both are written in one transaction.
 * SQLite serves one process; any number of processes can share PostgreSQL.
 *
 * After a commit, a notice wakes the workers of all processes; a slow poll finds jobs whose notice was lost. If there
 * are several processes, each one renews its own claims every second, and releases claims that another process has not
 * renewed: that process is assumed dead. After a false alarm, such as a briefly suspended process, the job runs twice;
 * the process that lost its claim can no longer change the job. Session locks of PostgreSQL would not show which
 * processes are alive: a session goes on while its process is suspended or cut off, but ends when the database restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { openPostgres } from '../storage/postgres.ts';
import { createDeadJobStore } from './dead-jobs.ts';
import { createJobRows, type JobRows } from './job-rows.ts';
import { createJobWorker, type JobWorker, type Outage, pauseAfter } from './job-worker.ts';
import type { Queue } from './queue.ts';
import { createJobSurvey } from './survey-jobs.ts';

/** Milliseconds between polls, for jobs whose notice was lost, and for delayed jobs that have become due. */
const pollMs = { alone: 500, shared: 2_000 };
const touchEveryMs = 1_000;
/** After this silence, a process is assumed dead. Checked every second, so its jobs resume within 6 s. */
const silentMs = 4_000;
/** `wake` announces the jobs enqueued in the last `freshMs` milliseconds. No transaction takes longer to commit. */
const freshMs = 10_000;
/** The queue's own connections: claims and renewals must not wait behind the statements of callers. */
const connections = 4;
/** Topic of the notice that jobs were enqueued; the notice's key is the job name. */
const enqueuedTopic = 'jobs';
const removedTopic = 'jobs-removed';

interface Dependencies {
  readonly database: Database;
  readonly notices: Notices;
  readonly clock: () => number;
  /** URL of the PostgreSQL database that other processes may use too; undefined if this process is alone. */
  readonly sharedUrl: string | undefined;
  /** Called with background errors, such as an unreachable database or a failed `giveUp`. */
  readonly onError: (error: unknown) => void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function openQueue({ database, notices, clock, sharedUrl, onError }: Dependencies): Queue {
  const outage = noteOutage(onError);
  const shared =
    sharedUrl === undefined
      ? undefined
      : openPostgres({ url: sharedUrl, poolSize: connections }, outage.failed);
  const rows = createJobRows({ database, shared, clock });
  const jobs = createJobSurvey(database, { isShared: shared !== undefined, clock });
  const deadJobs = createDeadJobStore(database, clock);
  const workers = new Map<string, JobWorker>();
  /** Time of the last enqueue, by job name. */
  const enqueuedAt = new Map<string, number>();
  const stops: (() => void)[] = [];
  let begun: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  const lookEverywhere = () => {
    for (const worker of workers.values()) worker.look();
  };
  const touchAll = () => Promise.all([...workers.values()].map((worker) => worker.touch()));
  const every = (ms: number, work: () => void) => {
    const timer = setInterval(work, ms).unref();
    stops.push(() => clearInterval(timer));
  };

  async function beginToWork(): Promise<void> {
    if (!shared) await releaseAll();
    if (closed) return;
    stops.push(
      notices.listen(enqueuedTopic, (name) => {
        if (name === undefined) lookEverywhere();
        else workers.get(name)?.look();
      }),
      notices.listen(removedTopic, () => void touchAll().catch(outage.failed)),
    );
    every(shared ? pollMs.shared : pollMs.alone, lookEverywhere);
    if (!shared) return;
    const keepAlive = createKeeper({ rows, touchAll, outage, tell, isClosed: () => closed !== undefined });
    every(touchEveryMs, () => void keepAlive());
  }

  /** Retries until it succeeds (the disk may be full), because jobs that stay claimed would never run. */
  async function releaseAll(): Promise<void> {
    for (let tries = 0; !closed; tries++) {
      try {
        return await rows.releaseAll();
      } catch (error) {
        outage.failed(error);
        await sleep(pauseAfter(tries), undefined, { ref: false });
      }
    }
  }

  function tell(name: string): void {
    notices.tell(enqueuedTopic, name);
  }

  async function close(graceMs: number): Promise<void> {
    const all = [...workers];
    const stopped = Promise.all(all.map(([, worker]) => worker.stop()));
    await Promise.race([stopped, sleep(graceMs, undefined, { ref: false })]);
    for (const stop of stops) stop();
    await Promise.all(
      all.map(async ([name, worker]) => {
        if (await worker.handBack()) tell(name);
      }),
    );
    await shared?.destroy();
  }

  return {
    async enqueue(name, keys, transaction, turn = {}) {
      await rows.insert(name, [keys].flat(), transaction, turn);
      enqueuedAt.set(name, performance.now());
    },
    wake() {
      const now = performance.now();
      for (const [name, at] of enqueuedAt) {
        if (now - at > freshMs) enqueuedAt.delete(name);
        else tell(name);
      }
    },
    async remove(name, key) {
      await rows.remove(name, key);
      notices.tell(removedTopic, name);
    },
    removeWaiting: rows.removeWaiting,
    ...jobs,
    countOf: jobs.count,
    work(name, handler) {
      const worker = createJobWorker(name, handler, { rows, database, deadJobs, outage, onError });
      workers.set(name, worker);
      begun ??= beginToWork();
      void begun.then(worker.look);
    },
    close({ graceMs }) {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

interface KeeperDependencies {
  readonly rows: JobRows;
  readonly touchAll: () => Promise<unknown>;
  readonly outage: Outage;
  readonly tell: (name: string) => void;
  readonly isClosed: () => boolean;
}

/** Renews this process's claims, and releases claims that other processes had time to renew but did not. */
function createKeeper({ rows, touchAll, outage, tell, isClosed }: KeeperDependencies): () => Promise<void> {
  let busy = false;
  let lastAt = performance.now();
  /** Start of the current period in which this process was never suspended, and the database always responded. */
  let soundSince: number | undefined;

  return async () => {
    if (busy) return;
    busy = true;
    const now = performance.now();
    if (now - lastAt > silentMs / 2) soundSince = undefined;
    lastAt = now;
    try {
      await touchAll();
      soundSince ??= now;
      if (now - soundSince >= silentMs) for (const name of await rows.releaseSilent(silentMs)) tell(name);
    } catch (error) {
      soundSince = undefined;
      // An error while the queue closes is expected: closing ends the connections.
      if (!isClosed()) outage.failed(error);
    } finally {
      busy = false;
    }
  };
}

function noteOutage(onError: (error: unknown) => void): Outage {
  let away = false;
  return {
    failed(error) {
      if (!away) onError(error);
      away = true;
    },
    succeeded() {
      away = false;
    },
  };
}
