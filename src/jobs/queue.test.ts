import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { openQueue } from './open-queue.ts';
import { describeQueue } from './queue.contract.ts';
import type { JobTurn, Queue } from './queue.ts';
import { eventually, failWith, workOn } from './testing/queue-under-test.ts';

describeQueue('of one process', async () => {
  const opened = await openTemporaryDatabase();
  const queues: Queue[] = [];
  const open = () => {
    const queue = openQueue({ ...opened, clock: Date.now, sharedUrl: undefined, onError: () => undefined });
    queues.push(queue);
    return queue;
  };
  return {
    queue: open(),
    database: opened.database,
    openAnother: async () => open(),
    async close() {
      await Promise.all(queues.map((queue) => queue.close({ graceMs: 1_000 })));
      await opened.close();
    },
  };
});

describe('the queue of one process', () => {
  let opened: TemporaryDatabase;
  let queue: Queue;
  let now: number;
  let errors: unknown[];
  beforeEach(async () => {
    // The fake timers stop the polling: a job starts only if the queue is woken, or when the job before it ends.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    opened = await openTemporaryDatabase();
    now = 1_000_000;
    errors = [];
    queue = openQueue({
      ...opened,
      clock: () => now,
      sharedUrl: undefined,
      onError: (error) => errors.push(error),
    });
  });
  afterEach(async () => {
    await queue.close({ graceMs: 50 });
    await opened.close();
    vi.useRealTimers();
  });

  const enqueue = (...keys: string[]) =>
    opened.database.transaction().execute(async (transaction) => {
      for (const key of keys) await queue.enqueue('cut', key, transaction);
    });
  const enqueueFor = (key: string, turn: JobTurn) => queue.enqueue('cut', key, opened.database, turn);
  const row = () => opened.database.selectFrom('jobs').selectAll().executeTakeFirst();
  /**
   * Runs everything that can happen without the passage of time. A write that changes nothing still waits for the disk,
   * and thus for the queue's own writes before it.
   */
  const settle = async () => {
    for (let i = 0; i < 10; i++) {
      // One test makes the database read-only.
      await opened.database
        .deleteFrom('jobs')
        .where('id', '=', 'none')
        .execute()
        .catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  it('starts a job when it is woken, and not before', async () => {
    const { done } = workOn(queue);
    await settle();
    await enqueue('a', 'b');
    await settle();
    expect(done).toEqual([]);
    queue.wake();
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['a', 'b']), eventually);
  });

  it('finds jobs by polling if it is not woken', async () => {
    const { done } = workOn(queue);
    await settle();
    await enqueue('a');
    vi.advanceTimersByTime(500);
    await vi.waitFor(() => expect(done).toEqual(['a']), eventually);
  });

  it('reports when its oldest job was enqueued, ignoring jobs of ranks below 0, which may wait long', async () => {
    expect(await queue.findOldest('cut')).toBeUndefined();
    await enqueueFor('patient', { rank: -1 });
    expect(await queue.findOldest('cut')).toBeUndefined();
    now += 5;
    const since = new Date(now);
    await enqueue('first');
    now += 5;
    await enqueue('second');
    expect(await queue.findOldest('cut')).toEqual(since);
    expect(await queue.findOldest('other')).toBeUndefined();
  });

  it('doubles its pauses from 250 ms to 4 s, and does not start a job before its pause is over', async () => {
    let tries = 0;
    workOn(queue, {
      run: async () => {
        tries++;
        throw new PackshotError('storage_full', 'no room');
      },
    });
    await enqueue('a');
    queue.wake();
    const pauses: number[] = [];
    for (let i = 1; i <= 7; i++) {
      await vi.waitFor(async () => {
        expect(tries).toBe(i);
        expect(Number((await row())!.run_at)).toBeGreaterThan(now);
      }, eventually);
      const { run_at, attempts } = (await row())!;
      pauses.push(Number(run_at) - now);
      expect(attempts).toBe(0);
      now = Number(run_at) - 1;
      queue.wake();
      await settle();
      expect(tries).toBe(i);
      now += 1;
      queue.wake();
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('pauses before it repeats a giveUp that failed', async () => {
    const { givenUp } = workOn(queue, {
      run: failWith(new Error('bad photo')),
      giveUp: failWith(new PackshotError('storage_full', 'no room for the last word')),
    });
    await enqueue('a');
    queue.wake();
    await vi.waitFor(() => expect(errors).toHaveLength(1), eventually);
    await settle();
    expect(givenUp).toHaveLength(1);
    expect(Number((await row())!.run_at)).toBe(now + 250);
    expect(errors).toMatchObject([{ code: 'storage_full' }]);
  });

  it('does not start a running job again, however often it is woken', async () => {
    const started: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    workOn(queue, {
      concurrency: 5,
      run: async (key) => {
        started.push(key);
        await promise;
      },
    });
    await enqueue('a', 'b');
    for (let i = 0; i < 10; i++) queue.wake();
    await vi.waitFor(() => expect(started.toSorted()).toEqual(['a', 'b']), eventually);
    queue.wake();
    await settle();
    expect(started).toHaveLength(2);
    resolve();
  });

  it('pauses between tries to store an outcome while the table cannot be written', async () => {
    let tries = 0;
    const write = (mode: 'on' | 'off') =>
      sql`pragma query_only = ${sql.raw(mode === 'on' ? 'off' : 'on')}`.execute(opened.database);
    workOn(queue, {
      async run() {
        if (++tries === 1) await write('off');
      },
    });
    await enqueue('a', 'b');
    queue.wake();
    await vi.waitFor(() => expect(errors).toHaveLength(1), eventually);
    queue.wake();
    await settle();
    expect(tries).toBe(1);
    expect(errors).toHaveLength(1);
    await write('on');
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), eventually);
  });

  it('reports a failed poll of the table, and polls again', async () => {
    const { done } = workOn(queue);
    await enqueue('a');
    await opened.database.schema.alterTable('jobs').renameTo('away').execute();
    queue.wake();
    await vi.waitFor(() => expect(errors).toHaveLength(1), eventually);
    await opened.database.schema.alterTable('away').renameTo('jobs').execute();
    queue.wake();
    await vi.waitFor(() => expect(done).toEqual(['a']), eventually);
  });

  it('runs jobs that a killed process had claimed, as soon as the table can be written', async () => {
    await enqueue('a');
    await opened.database.updateTable('jobs').set({ claim: 'of the killed', touched_at: now }).execute();
    await sql`pragma query_only = on`.execute(opened.database);
    const { done } = workOn(queue);
    await vi.waitFor(() => expect(errors).toHaveLength(1), eventually);
    await sql`pragma query_only = off`.execute(opened.database);
    await vi.waitFor(() => expect(done).toEqual(['a']), eventually);
  });

  it('stops waiting for a hanging job after the grace period', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    workOn(queue, {
      run() {
        resolve();
        return new Promise(() => undefined);
      },
    });
    await enqueue('a');
    queue.wake();
    await begun;
    await queue.close({ graceMs: 20 });
    expect(await queue.count('cut')).toBe(1);
    expect((await row())!.attempts).toBe(0);
  });
});
