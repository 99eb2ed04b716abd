/**
 * The queue that any number of processes share: pg-boss on PostgreSQL.
 *
 * Whoever enqueues tells all workers by a notice, after the commit; a slow poll finds what no notice told of. A worker
 * touches what it runs each second, and each worker looks for what nobody has touched for a while: its process was
 * killed, and another goes on with it. The rows, not a lock of a session, say who is alive: a connection outlives a
 * process that stands still and a network that is cut, and does not outlive a restart of the database. Where the alarm
 * was false, since a process stood still for a moment, the job runs twice; whoever lost it changes nothing of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { createDeadJobStore } from './dead-jobs.ts';
import { openPgBossRows } from './pg-boss-rows.ts';
import { createPgBossWorker, type Outage, type PgBossWorker } from './pg-boss-worker.ts';
import type { Queue } from './queue.ts';

/** For what no notice told of: one that was lost, and delays that are over. */
const pollMs = 2_000;
const touchEveryMs = 1_000;
/** With the second until the next touch and the one until the next look, a killed process's jobs go on within 6 s. */
const silentMs = 4_000;
/** No transaction of ours lives longer: names that were enqueued before are not told of again. */
const freshMs = 10_000;
/** Counting more than so many takes the database a while; then the number is good for a second. */
const manyJobs = 1_000;
const countedMs = 1_000;
const topic = 'jobs';

interface Dependencies {
  readonly url: string;
  readonly database: Database;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Hears of what no caller could: that the database is away, a handler's failed last word. */
  readonly onError: (error: unknown) => void;
}

/** Throws `storage_unavailable` where the database cannot be reached. */
export async function openPgBossQueue({
  url,
  database,
  notices,
  clock,
  onError,
}: Dependencies): Promise<Queue> {
  const outage = noteOutage(onError);
  const rows = await openPgBossRows({ url, database, onError: outage.failed });
  const deadJobs = createDeadJobStore(database, clock);
  const workers = new Map<string, PgBossWorker>();
  /** When there were last jobs of a name. */
  const enqueuedAt = new Map<string, number>();
  const counted = new Map<string, { readonly at: number; readonly count: number }>();
  const timers: NodeJS.Timeout[] = [];
  let closed: Promise<void> | undefined;
  let stopListening: () => void = () => undefined;

  const lookEverywhere = () => {
    for (const worker of workers.values()) worker.look();
  };

  function beginToWork(): void {
    stopListening = notices.listen(topic, (name) => {
      if (name === undefined) lookEverywhere();
      else workers.get(name)?.look();
    });
    const keepAlive = createKeeper();
    timers.push(setInterval(lookEverywhere, pollMs).unref());
    timers.push(setInterval(() => void keepAlive(), touchEveryMs).unref());
    void keepAlive();
  }

  /** Touches what runs here, and frees what others have left, once it is sure that they could have touched it. */
  function createKeeper(): () => Promise<void> {
    let busy = false;
    let lastAt = performance.now();
    /** Since when this process was awake and the database answered, without a break. */
    let soundSince: number | undefined;

    return async () => {
      if (busy) return;
      busy = true;
      const now = performance.now();
      if (now - lastAt > silentMs / 2) soundSince = undefined;
      lastAt = now;
      try {
        await Promise.all([...workers.values()].map((worker) => worker.touch()));
        const abandoned = await rows.findAbandoned([...workers.keys()], silentMs);
        soundSince ??= now;
        if (now - soundSince < silentMs) return;
        for (const claim of abandoned) {
          const trials = { ...claim.trials, deaths: claim.trials.deaths + 1 };
          if (await rows.putBack(claim, trials, 0)) tell(claim.name);
        }
      } catch (error) {
        soundSince = undefined;
        // Closing takes its connection away.
        if (!closed) outage.failed(error);
      } finally {
        busy = false;
      }
    };
  }

  function tell(name: string): void {
    workers.get(name)?.look();
    notices.tell(topic, name);
  }

  async function close(graceMs: number): Promise<void> {
    stopListening();
    const all = [...workers];
    const stopped = Promise.all(all.map(([, worker]) => worker.stop()));
    await Promise.race([stopped, sleep(graceMs, undefined, { ref: false })]);
    for (const timer of timers) clearInterval(timer);
    await Promise.all(
      all.map(async ([name, worker]) => {
        if (await worker.handBack()) notices.tell(topic, name);
      }),
    );
    await rows.close();
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
    async count(name) {
      const at = performance.now();
      const earlier = counted.get(name);
      if (earlier && earlier.count > manyJobs && at - earlier.at < countedMs) return earlier.count;
      const count = await rows.count(name);
      counted.set(name, { at, count });
      return count;
    },
    countOf: rows.countOf,
    listKeys: rows.listKeys,
    isWaiting: rows.isWaiting,
    survey: rows.survey,
    findOldest: rows.findOldest,
    work(name, handler) {
      const worker = createPgBossWorker(name, handler, { rows, database, deadJobs, outage, onError });
      workers.set(name, worker);
      if (workers.size === 1) beginToWork();
      worker.look();
    },
    close({ graceMs }) {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

/** While the database is away the same fails again and again: it is told once. */
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
