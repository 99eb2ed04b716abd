/**
 * A durable queue: its jobs outlive the process that enqueued them.
 *
 * A job is enqueued inside the caller's transaction, so it exists if and only if the row that needs it exists.
 * A job runs at least once, so a handler must detect that its work is already done, and return. A job is
 * identified by its name and key: enqueuing it again while it exists changes nothing. A handler that throws
 * is retried after a growing pause. Attempts are not counted if the error was not the job's fault, such as a
 * full disk or an unavailable database (every `PackshotError` marked as retryable). After `maxAttempts`
 * counted attempts, `giveUp` is called once and the job is deleted; a row in `dead_jobs` remains, unless the
 * error was the caller's fault. A process that dies while running a job does not cost an attempt.
 */
import type { DatabaseOrTransaction } from '../storage/database.ts';

export interface RunningJob {
  /** The enqueued input after a JSON round trip; null if there was none. */
  readonly input: unknown;
  readonly createdAt: Date;
  /** Aborted once the job was removed, or another process has taken it because this one seemed dead. */
  readonly signal: AbortSignal;
}

export interface JobHandler {
  /** Maximum jobs running at once in this process. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  run(key: string, job: RunningJob): Promise<void>;
  /** Called once for a job that failed permanently. */
  giveUp(key: string, error: unknown): Promise<void>;
}

export interface JobTurn {
  /** Minimum delay before the job starts, in milliseconds; default 0. */
  readonly delayMs?: number;
  /** Among due jobs of the same name, those of higher rank start first; default 0. */
  readonly rank?: number;
  /** Within a rank, accounts take turns; see `fair-turns`. */
  readonly accountId?: string;
  /** JSON for the handler; undefined for a job that needs only its key. */
  readonly input?: unknown;
}

/** The jobs of one name. */
export interface JobCounts {
  readonly name: string;
  /** Due, and not started. */
  readonly waiting: number;
  /** Due later: enqueued with a delay, or waiting to be retried. */
  readonly delayed: number;
  readonly running: number;
  /** When the oldest of these jobs was enqueued. */
  readonly oldest: Date;
}

export interface Queue {
  /** Enqueues one job per key, at most 1,000. They are durable when the transaction commits; call `wake` after that. */
  enqueue(
    name: string,
    keys: string | readonly string[],
    transaction: DatabaseOrTransaction,
    turn?: JobTurn,
  ): Promise<void>;
  /** Starts due jobs at once, in all processes, instead of at the next poll. */
  wake(): void;
  /** Removes a job. If it is running, its signal is aborted and its failure is ignored. */
  remove(name: string, key: string): Promise<void>;
  /** Number of jobs that exist: due, delayed and running. */
  count(name: string): Promise<number>;
  /** Like `count`, for the jobs of one account. */
  countOf(name: string, accountId: string): Promise<number>;
  /** Keys of all jobs, due, delayed or running, that start with this prefix. */
  listKeys(name: string, keyPrefix: string): Promise<string[]>;
  /** Whether the job exists and is not running. */
  isWaiting(name: string, key: string): Promise<boolean>;
  /** For operators: each name that has jobs, sorted by name. */
  survey(): Promise<readonly JobCounts[]>;
  /**
   * When the oldest job was enqueued; undefined if there is none. Ignores jobs of ranks below 0, which may wait long.
   */
  findOldest(name: string): Promise<Date | undefined>;
  /** Starts handling jobs; call once per name. */
  work(name: string, handler: JobHandler): void;
  /**
   * Starts no new jobs and waits up to `graceMs` for running ones. Interrupted jobs run again elsewhere, or at the
   * next start.
   */
  close(options: { graceMs: number }): Promise<void>;
}
