/**
 * A durable queue: work that outlives the process that asked for it.
 *
 * A job is enqueued inside the caller's transaction, so it exists exactly if the row that needs it does. It runs at
 * least once; a handler must therefore find its work done and return. The same name and key is the same job.
 * A handler that throws is tried again after a growing pause. Errors that are not the job's fault (a full disk, a
 * database that is away: every `PackshotError` marked retryable) do not count as tries; after `maxAttempts`
 * counted tries `giveUp` is called once, and the job is gone but for its row in `dead_jobs`. A process that dies while
 * a job runs costs no try.
 */
import type { DatabaseOrTransaction } from '../storage/database.ts';

export interface RunningJob {
  /** As enqueued, by way of JSON; null if there was none. */
  readonly input: unknown;
  readonly createdAt: Date;
  /** Aborted once the job was removed, or another process has taken it because this one seemed dead. */
  readonly signal: AbortSignal;
}

export interface JobHandler {
  /** How many run side by side in this process. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  run(key: string, job: RunningJob): Promise<void>;
  /** Called once for a job that failed for good. */
  giveUp(key: string, error: unknown): Promise<void>;
}

export interface JobTurn {
  /** The job does not start before; default 0. */
  readonly delayMs?: number;
  /** Of the due jobs of a name the highest rank goes first; default 0. */
  readonly rank?: number;
  /** Within a rank the accounts take turns, as `fair-turns` says. */
  readonly accountId?: string;
  /** JSON for the handler. A job that only needs its key has none. */
  readonly input?: unknown;
}

/** The jobs of one name. */
export interface JobCounts {
  readonly name: string;
  /** Due, and not started. */
  readonly waiting: number;
  /** Due later: they were enqueued so, or have failed. */
  readonly delayed: number;
  readonly running: number;
  /** When the oldest of them all was enqueued. */
  readonly oldest: Date;
}

export interface Queue {
  /** Durable when the transaction commits; call `wake` after that. At most 1,000 keys. */
  enqueue(
    name: string,
    keys: string | readonly string[],
    transaction: DatabaseOrTransaction,
    turn?: JobTurn,
  ): Promise<void>;
  /** Starts due jobs at once, in all processes, instead of at the next poll. */
  wake(): void;
  /** Removes a job. If it runs, its signal is aborted, and its failure counts for nothing. */
  remove(name: string, key: string): Promise<void>;
  /** Jobs that wait or run. */
  count(name: string): Promise<number>;
  /** Those of one account. */
  countOf(name: string, accountId: string): Promise<number>;
  /** Keys, with this prefix, of the jobs that wait or run. */
  listKeys(name: string, keyPrefix: string): Promise<string[]>;
  /** Whether the job exists and does not run. */
  isWaiting(name: string, key: string): Promise<boolean>;
  /** For operators: each name that has jobs, in the order of names. */
  survey(): Promise<readonly JobCounts[]>;
  /** When the oldest job was enqueued; undefined if there is none. Ranks below 0 do not count: they may wait. */
  findOldest(name: string): Promise<Date | undefined>;
  /** Starts handling; once for a name. */
  work(name: string, handler: JobHandler): void;
  /** Starts nothing new and waits for running jobs, at most `graceMs`. Interrupted jobs run again elsewhere, or at the next start. */
  close(options: { graceMs: number }): Promise<void>;
}
