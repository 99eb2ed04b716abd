/** For queue tests: the interface of the queue under test, handlers, and gates at which jobs wait. */
import { expect, vi } from 'vitest';
import type { Database } from '../../storage/database.ts';
import type { JobHandler, Queue } from '../queue.ts';

export interface QueueUnderTest {
  readonly queue: Queue;
  readonly database: Database;
  /** Opens a queue on the same rows that shares no memory with the first one, as in another process. */
  openAnother(): Promise<Queue>;
  /** Closes all queues. */
  close(): Promise<void>;
}

/** Time limit of `vi.waitFor`: enough for a few pauses and polls of any queue. Reached only if a test fails. */
export const eventually = { timeout: 10_000, interval: 10 };

/** Works on the jobs of `cut`. Returns the keys of finished jobs, and keys and errors of those given up. */
export function workOn(queue: Queue, { run, giveUp, ...limits }: Partial<JobHandler> = {}) {
  const done: string[] = [];
  const givenUp: [key: string, error: string][] = [];
  queue.work('cut', {
    concurrency: 1,
    maxAttempts: 1,
    ...limits,
    async run(key, job) {
      await run?.(key, job);
      done.push(key);
    },
    async giveUp(key, error) {
      givenUp.push([key, String(error)]);
      await giveUp?.(key, error);
    },
  });
  return { done, givenUp };
}

/** For `run` and `giveUp`. */
export const failWith = (error: Error) => async (): Promise<never> => {
  throw error;
};

/** Enqueues all keys in one transaction and then wakes the queue, as an upload does. */
export async function enqueue(
  { queue, database }: Pick<QueueUnderTest, 'queue' | 'database'>,
  name: string,
  ...keys: string[]
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const key of keys) await queue.enqueue(name, key, transaction);
  });
  queue.wake();
}

/** A gate at which jobs wait; `reached` resolves once at least `count` jobs are waiting. */
export function openGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    get opened(): Promise<void> {
      waiting++;
      return promise;
    },
    open: resolve,
    reached: (count: number) => vi.waitFor(() => expect(waiting).toBeGreaterThanOrEqual(count), eventually),
  };
}
