/**
 * What a queue is: work that outlives the process that asked for it.
 *
 * A job is enqueued inside the caller's transaction, so it exists exactly if the row that needs it does. It runs at
 * least once; a handler must therefore find its work done and return. The same name and key is the same job.
 * A handler that throws is tried again after a growing pause. Errors that are not the job's fault (a full disk, a
 * database that is away: every `PackshotError` marked retryable) do not count as tries; after `maxAttempts`
 * counted tries `giveUp` is called once and the job is gone. A process that dies while a job runs costs no try.
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
  /** Of the due jobs of a name the highest rank goes first, then the oldest; 0 unless told. */
  readonly rank?: number;
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
  /** Jobs that wait or run. */
  count(name: string): Promise<number>;
  /** When the oldest job was enqueued; undefined where there is none. Ranks below 0 do not count: they may wait. */
  findOldest(name: string): Promise<Date | undefined>;
  /** Starts handling; once for a name. */
  work(name: string, handler: JobHandler): void;
  /** Takes nothing new and waits for what runs, at most `graceMs`. What is cut off runs again at the next start. */
  close(options: { graceMs: number }): Promise<void>;
}
