/** Runs the jobs of one name in this process. Retries each write of an outcome until the outcome is stored. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import type { DeadJobStore } from './dead-jobs.ts';
import type { Claim, JobRows, JobTrials } from './job-rows.ts';
import type { JobHandler } from './queue.ts';

/** After this many process deaths during one job, the job is considered to be their cause. */
const maxDeaths = 5;

/** Short enough that jobs resume within 10 s once a full disk has space again. */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** The pause before a retry, in milliseconds. It doubles each time; `earlier`: number of pauses so far. */
export const pauseAfter = (earlier: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** earlier);

/** Reports a repeating fault of the database only once per outage. */
export interface Outage {
  failed(error: unknown): void;
  succeeded(): void;
}

interface Dependencies {
  readonly rows: JobRows;
  readonly database: Database;
  readonly deadJobs: DeadJobStore;
  readonly outage: Outage;
  readonly onError: (error: unknown) => void;
}

export type JobWorker = ReturnType<typeof createJobWorker>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createJobWorker(name: string, handler: JobHandler, needs: Dependencies) {
  const { rows, database, deadJobs, outage } = needs;
  /** The keys are claims, not jobs: a job that was lost and then claimed again here has two entries. */
  const running = new Map<Claim, { readonly work: Promise<void>; readonly lost: AbortController }>();
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
        // `look` may have been called while the previous `claimJobs` was ending.
        if (mayBeMore && running.size < handler.concurrency && state === 'open') claimMore();
      });
  }

  async function claimJobs(): Promise<void> {
    for (;;) {
      const free = handler.concurrency - running.size;
      if (state !== 'open' || free <= 0 || !mayBeMore) return;
      mayBeMore = false;
      const claims = await rows.claim(name, free);
      outage.succeeded();
      if (claims.length === free) mayBeMore = true;
      for (const claim of claims) start(claim);
    }
  }

  function start(claim: Claim): void {
    const lost = new AbortController();
    const work = runJob(claim, lost.signal)
      .catch(needs.onError)
      .finally(() => {
        running.delete(claim);
        claimMore();
      });
    running.set(claim, { work, lost });
  }

  async function runJob(claim: Claim, signal: AbortSignal): Promise<void> {
    // SQLite queries never yield to the event loop, so without this pause a thousand short jobs would block it.
    await nextTurn();
    // The process began to stop while it claimed the job.
    if (state !== 'open') return insist(() => rows.putBack(claim, {}, 0));
    if (claim.deaths >= maxDeaths)
      return giveUp(claim, claim.attempts, new Error('each process that ran this job died'));
    try {
      await handler.run(claim.key, { input: claim.input, createdAt: claim.createdAt, signal });
    } catch (error) {
      if (state !== 'open') return insist(() => rows.putBack(claim, {}, 0));
      const counts = !(error instanceof PackshotError && error.retryable);
      const attempts = claim.attempts + (counts ? 1 : 0);
      return attempts < handler.maxAttempts ? postpone(claim, { attempts }) : giveUp(claim, attempts, error);
    }
    if ((await insist(() => rows.finish(claim))) === 'waits again') look();
  }

  async function giveUp(claim: Claim, attempts: number, error: unknown): Promise<void> {
    // If the claim was lost, another process decides the outcome of the job.
    if (!(await insist(() => rows.touch([claim])))?.has(claim.id)) return;
    try {
      await handler.giveUp(claim.key, error);
    } catch (failure) {
      // Postpone the job without counting an attempt, so that `giveUp` is tried again after one more run.
      await postpone(claim, {});
      throw failure;
    }
    await insist(() =>
      transact(database, async (transaction) => {
        if ((await rows.finish(claim, transaction)) !== 'lost')
          await deadJobs.noteDeath({ ...claim, attempts }, error, transaction);
      }),
    );
  }

  async function postpone(claim: Claim, trials: Partial<JobTrials>): Promise<void> {
    const pauseMs = pauseAfter(claim.pauses);
    await insist(() => rows.putBack(claim, { ...trials, pauses: claim.pauses + 1 }, pauseMs));
    setTimeout(look, pauseMs).unref();
  }

  /** Retries until the write succeeds. If this process ends first, the job runs again and finds its work done. */
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

    /** Renews all claims of this process, and aborts the jobs whose claims it has lost. */
    async touch(): Promise<void> {
      const touched = [...running];
      if (touched.length === 0) return;
      const held = await rows.touch(touched.map(([claim]) => claim));
      for (const [claim, { lost }] of touched)
        if (!held.has(claim.id)) lost.abort(new DOMException('The job was removed or taken.', 'AbortError'));
    },

    /**
     * Starts no new jobs, and waits for running ones. A job that fails from now on is put back without counting an
     * attempt, because a resource that is being released may have caused the failure.
     */
    async stop(): Promise<void> {
      state = 'stopping';
      await looking;
      await Promise.all([...running.values()].map(({ work }) => work));
    },

    /** Releases jobs that still run here, so that other processes can take them. Returns whether there were any. */
    async handBack(): Promise<boolean> {
      state = 'ended';
      const claims = [...running.keys()];
      await Promise.all(claims.map((claim) => rows.putBack(claim, {}, 0))).catch(outage.failed);
      return claims.length > 0;
    },
  };
}
