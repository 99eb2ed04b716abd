/**
 * A durable queue: its jobs outlive the process that enqueued them.
 *
 * A job is enqueued in the caller's transaction, so the job exists if and only if the row that needs it exists. A job
 * runs at least once, so a handler must detect that its work is already done, and return. A job is identified by its
 * name and key: enqueuing a job that waits changes nothing, and one that runs then runs once more. If a handler throws,
 * its job is retried after a growing pause. The attempt does not count if the error was not the job's fault, such as a full disk or an unavailable
 * database (every `PackshotError` marked as retryable). After `maxAttempts` counted attempts, `giveUp` is called and
 * the job is deleted; a row in `dead_jobs` remains, unless the error was the caller's fault. If a process dies while it
 * runs a job, that costs no attempt; but a job during which five processes have died is given up.
 */
import type { DatabaseOrTransaction } from '../storage/database.ts';

export interface RunningJob {
  /** The enqueued input, after a JSON round trip; null if the job was enqueued without input. */
  readonly input: unknown;
  readonly createdAt: Date;
  /** Aborts if the job was removed, or if another process has taken it because this process seemed dead. */
  readonly signal: AbortSignal;
}

export interface JobHandler {
  /** Maximum jobs of this name that run in this process at the same time. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  run(key: string, job: RunningJob): Promise<void>;
  /**
   * Called for a job that failed permanently. Called again if it throws, or if the process ends before the job is
   * deleted.
   */
  giveUp(key: string, error: unknown): Promise<void>;
}

export interface JobTurn {
  /** Minimum delay before the job starts, in milliseconds; default 0. */
  readonly delayMs?: number;
  /** Among due jobs of the same name, jobs of higher rank start first; default 0. */
  readonly rank?: number;
  /** The account for which the job runs. Within a rank, accounts take turns; see `fair-turns`. */
  readonly accountId?: string;
  /** JSON for the handler; undefined if the key is all that the handler needs. */
  readonly input?: unknown;
}

export interface JobCounts {
  readonly name: string;
  /** Jobs that are due but not started. */
  readonly waiting: number;
  /** Jobs that are due later: enqueued with a delay, or waiting for a retry. */
  readonly delayed: number;
  readonly running: number;
  /** When the oldest of all these jobs was enqueued. */
  readonly oldest: Date;
}

export interface Queue {
  /** Enqueues one job per key, for at most 1,000 keys. Jobs are durable after the commit; then call `wake`. */
  enqueue(
    name: string,
    keys: string | readonly string[],
    transaction: DatabaseOrTransaction,
    turn?: JobTurn,
  ): Promise<void>;
  /** Starts due jobs at once, in all processes, rather than at the next poll. */
  wake(): void;
  /** Removes a job. If the job is running, its signal aborts, and its failure is ignored. */
  remove(name: string, key: string): Promise<void>;
  /** Removes the due and delayed jobs whose keys begin with this prefix; running jobs stay. */
  removeWaiting(name: string, keyPrefix: string): Promise<void>;
  /** Number of jobs of this name: due, delayed and running. */
  count(name: string): Promise<number>;
  /** Like `count`, but only for the jobs of one account. */
  countOf(name: string, accountId: string): Promise<number>;
  /** Keys of all jobs (due, delayed or running) that begin with this prefix. */
  listKeys(name: string, keyPrefix: string): Promise<string[]>;
  /** Counts per job name, for operators; only names that have jobs, sorted by name. */
  survey(): Promise<readonly JobCounts[]>;
  /** When the oldest job was enqueued; undefined if there is none. Ignores ranks below 0, whose jobs may wait long. */
  findOldest(name: string): Promise<Date | undefined>;
  /** Starts to run jobs of this name; call once per name. */
  work(name: string, handler: JobHandler): void;
  /**
   * Starts no new jobs, and waits up to `graceMs` for running ones. Interrupted jobs run again: in another process, or
   * after the next start.
   */
  close(options: { graceMs: number }): Promise<void>;
}
