/**
 * What a queue is: work that outlives the process that asked for it.
 *
 * A job is enqueued inside the caller's transaction, so it exists exactly if the row that needs it does. It runs at
 * least once; a handler must therefore find its work done and return. The same name and key is the same job.
 * A handler that throws is tried again after a growing pause. Errors that are not the job's fault (a full disk, a
 * database that is away: every `PackshotError` marked retryable) do not count as tries; after `maxAttempts`
 * counted tries `giveUp` is called once, and the job is gone but for its row in `dead_jobs`. A process that dies while
 * a job runs costs no try.
 */
import type { DatabaseOrTransaction } from '../storage/database.ts';

export interface JobHandler {
  /** How many run side by side in this process. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  run(key: string): Promise<void>;
  /** The last word on a job that failed for good. */
  giveUp(key: string, error: unknown): Promise<void>;
}

export interface JobTurn {
  /** The job does not start before; 0 unless told. */
  readonly delayMs?: number;
  /** Of the due jobs of a name the highest rank goes first; 0 where left out. */
  readonly rank?: number;
  /** Within a rank the accounts take turns, as `fair-turns` says. */
  readonly accountId?: string;
}

/** The jobs of one name. */
export interface JobCounts {
  readonly name: string;
  /** Due, and begun by nobody. */
  readonly waiting: number;
  /** Not before a time to come: they were enqueued so, or have failed. */
  readonly delayed: number;
  /** Undefined where only the process that runs them knows; then they are among the waiting. */
  readonly running: number | undefined;
  /** When the oldest of them all was enqueued. */
  readonly oldest: Date;
}

export interface Queue {
  /** Durable when the transaction commits; call `wake` after that. A key says all that the handler needs; at most 1,000. */
  enqueue(
    name: string,
    keys: string | readonly string[],
    transaction: DatabaseOrTransaction,
    turn?: JobTurn,
  ): Promise<void>;
  /** Looks for due jobs at once, instead of at the next poll. */
  wake(): void;
  /** Jobs that wait or run; of more than 1,000 the number may be a second old. */
  count(name: string): Promise<number>;
  /** Those of one account. */
  countOf(name: string, accountId: string): Promise<number>;
  /** Keys of the jobs that wait or run and begin so. */
  listKeys(name: string, keyPrefix: string): Promise<string[]>;
  /** Whether the job is in line, and nobody is at work on it. */
  isWaiting(name: string, key: string): Promise<boolean>;
  /** For people: of each name that has jobs; by name. */
  survey(): Promise<readonly JobCounts[]>;
  /** When the oldest job was enqueued; undefined where there is none. Ranks below 0 do not count: they may wait. */
  findOldest(name: string): Promise<Date | undefined>;
  /** Starts handling; once for a name. */
  work(name: string, handler: JobHandler): void;
  /** Takes nothing new and waits for what runs, at most `graceMs`. What is cut off runs again at the next start. */
  close(options: { graceMs: number }): Promise<void>;
}
