/** Runs the jobs of one name in this process, and writes down what became of them however long that takes. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import type { DeadJobStore } from './dead-jobs.ts';
import { pauseAfter } from './pauses.ts';
import type { Claim, JobTrials, PgBossRows } from './pg-boss-rows.ts';
import type { JobHandler } from './queue.ts';

/** A job that so many processes had in hand when they ended is what ended them. */
const mostDeaths = 5;

/** Hears of what fails again and again while the database is away, and tells of it once. */
export interface Outage {
  failed(error: unknown): void;
  succeeded(): void;
}

interface Dependencies {
  readonly rows: PgBossRows;
  readonly database: Database;
  readonly deadJobs: DeadJobStore;
  readonly outage: Outage;
  readonly onError: (error: unknown) => void;
}

export type PgBossWorker = ReturnType<typeof createPgBossWorker>;

export function createPgBossWorker(name: string, handler: JobHandler, needs: Dependencies) {
  const { rows, database, deadJobs, outage } = needs;
  /** Not by job: one that was lost and claimed again here is there twice. */
  const running = new Map<Claim, Promise<void>>();
  let over: { readonly claim: Claim; readonly forgotten: () => void }[] = [];
  let looking: Promise<void> | undefined;
  let mayBeMore = false;
  let state: 'open' | 'stopping' | 'ended' = 'open';

  function look(): void {
    mayBeMore = true;
    claimMore();
  }

  function claimMore(): void {
    looking ??= claimJobs()
      .catch(outage.failed)
      .finally(() => {
        looking = undefined;
        // It was called for when this look was about to end.
        if (mayBeMore && running.size < handler.concurrency && state === 'open') claimMore();
      });
  }

  async function claimJobs(): Promise<void> {
    for (;;) {
      const free = handler.concurrency - running.size;
      if (state !== 'open' || free <= 0 || !mayBeMore) return;
      // What calls for a look meanwhile makes it go on.
      mayBeMore = false;
      const claims = await rows.claim(name, free);
      outage.succeeded();
      if (claims.length === free) mayBeMore = true;
      for (const claim of claims) start(claim);
    }
  }

  function start(claim: Claim): void {
    const work = runJob(claim)
      .catch(needs.onError)
      .finally(() => {
        running.delete(claim);
        claimMore();
      });
    running.set(claim, work);
  }

  async function runJob(claim: Claim): Promise<void> {
    const { key, trials } = claim;
    // Claimed while it was told to stop.
    if (state !== 'open') return putBack(claim, trials, 0);
    if (trials.deaths >= mostDeaths)
      return giveUp(claim, trials.attempts, new Error('the process that worked on it died'));
    try {
      await handler.run(key);
    } catch (error) {
      if (state !== 'open') return putBack(claim, trials, 0);
      const counts = !(error instanceof PackshotError && error.retryable);
      const attempts = trials.attempts + (counts ? 1 : 0);
      return attempts < handler.maxAttempts
        ? postpone(claim, { ...trials, attempts })
        : giveUp(claim, attempts, error);
    }
    return finish(claim);
  }

  async function giveUp(claim: Claim, attempts: number, error: unknown): Promise<void> {
    // Where it was lost, another is at work on it and will say what becomes of it.
    if ((await insist(() => rows.touch(name, [claim]))) !== 1) return;
    try {
      await handler.giveUp(claim.key, error);
    } catch (failure) {
      // The last try is not written down: the job runs once more and then says its last word anew.
      await postpone(claim, claim.trials);
      throw failure;
    }
    await insist(() =>
      transact(database, async (transaction) => {
        if ((await rows.finish(name, [claim], transaction)) === 1)
          await deadJobs.noteDeath({ ...claim, attempts }, error, transaction);
      }),
    );
  }

  async function postpone(claim: Claim, trials: JobTrials): Promise<void> {
    const pauseMs = pauseAfter(trials.pauses);
    await putBack(claim, { ...trials, pauses: trials.pauses + 1 }, pauseMs);
    setTimeout(look, pauseMs).unref();
  }

  async function putBack(claim: Claim, trials: JobTrials, pauseMs: number): Promise<void> {
    await insist(() => rows.putBack(claim, trials, pauseMs));
  }

  /** Those that end together are forgotten in one statement, and those that end meanwhile in the next. */
  async function finish(claim: Claim): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    over.push({ claim, forgotten: resolve });
    if (over.length === 1) void forgetOver();
    await promise;
  }

  async function forgetOver(): Promise<void> {
    await nextTurn();
    for (let count = over.length; count > 0; count = over.length) {
      const claims = over.map(({ claim }) => claim);
      await insist(() => rows.finish(name, claims));
      const gone = over.slice(0, count);
      over = over.slice(count);
      for (const { forgotten } of gone) forgotten();
    }
  }

  /** Until it is written or this process ends: then the job is run again, and finds its work done. */
  async function insist<T>(write: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; state !== 'ended'; tries++) {
      try {
        const written = await write();
        outage.succeeded();
        return written;
      } catch (error) {
        outage.failed(error);
      }
      await sleep(pauseAfter(tries), undefined, { ref: false });
    }
    return undefined;
  }

  return {
    look,

    /** Says that this process is alive and at work. */
    async touch(): Promise<void> {
      if (running.size > 0) await rows.touch(name, [...running.keys()]);
    },

    /** Claims nothing new, and counts no failure: its tools are being taken away. Resolves when all that runs is over. */
    async stop(): Promise<void> {
      state = 'stopping';
      await looking;
      await Promise.all(running.values());
    },

    /** Whatever still runs others may go on with at once. Answers whether there was anything. */
    async handBack(): Promise<boolean> {
      state = 'ended';
      const claims = [...running.keys()];
      await Promise.all(claims.map((claim) => rows.putBack(claim, claim.trials, 0))).catch(outage.failed);
      return claims.length > 0;
    },
  };
}
