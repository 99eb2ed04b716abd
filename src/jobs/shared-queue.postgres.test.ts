import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { openQueue } from './open-queue.ts';
import { describeQueue } from './queue.contract.ts';
import type { Queue } from './queue.ts';
import { enqueue, openGate, workOn } from './testing/queue-under-test.ts';

/** A generous time limit: a dead process is detected only after some seconds. */
const inTime = { timeout: 15_000, interval: 20 };

let opened: TemporaryDatabase;
let queues: Queue[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  opened = await openTemporaryDatabase('postgres');
});
afterAll(() => opened.close());
beforeEach(() => {
  queues = [];
});

async function open(): Promise<Queue> {
  const { config, database, notices } = opened;
  if (config.kind !== 'postgres') throw new Error('This runs on PostgreSQL.');
  const sharedUrl = config.url;
  const queue = openQueue({ database, notices, clock: Date.now, sharedUrl, onError: () => undefined });
  queues.push(queue);
  return queue;
}

async function closeAll(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(queues.map((queue) => queue.close({ graceMs: 1_000 })));
  await opened.database.deleteFrom('jobs').execute();
  await opened.database.deleteFrom('dead_jobs').execute();
}

describeQueue('shared by processes', async () => ({
  queue: await open(),
  database: opened.database,
  openAnother: open,
  close: closeAll,
}));

describe('the queue of several processes', { timeout: 30_000 }, () => {
  afterEach(closeAll);

  it('never runs a job in two processes', async () => {
    const [one, two] = [await open(), await open()];
    const keys = Array.from({ length: 200 }, (_, i) => `key.${i}`);
    const done: string[] = [];
    const by = new Set<Queue>();
    for (const queue of [one, two]) {
      const run = async (key: string) => {
        done.push(key);
        by.add(queue);
        await new Promise((resolve) => setTimeout(resolve, 5));
      };
      workOn(queue, { concurrency: 5, run });
    }
    await enqueue({ queue: one, database: opened.database }, 'cut', ...keys);
    await vi.waitFor(async () => expect(await one.count('cut')).toBe(0), inTime);
    expect(done.toSorted()).toEqual(keys.toSorted());
    expect(by.size).toBe(2);
  });

  it('wakes the workers of other processes', async () => {
    const worker = await open();
    const api = await open();
    const { done } = workOn(worker);
    // With polling alone, each job would wait up to 2 s, and the loop would exceed this test's time limit.
    for (let i = 0; i < 20; i++) {
      await enqueue({ queue: api, database: opened.database }, 'cut', `key.${i}`);
      await vi.waitFor(() => expect(done).toHaveLength(i + 1), { timeout: 10_000, interval: 2 });
    }
  });

  it('runs the jobs of a killed process again, without counting an attempt', async () => {
    const queue = await open();
    const child = await startProcess();
    await enqueue({ queue, database: opened.database }, 'cut', 'a', 'b');
    const begun: unknown[] = [];
    child.on('message', (key) => begun.push(key));
    await vi.waitFor(() => expect(begun.toSorted()).toEqual(['a', 'b']), inTime);
    const { done, givenUp } = workOn(queue, { concurrency: 2 });
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(done).toEqual([]);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['a', 'b']), inTime);
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), inTime);
    expect(givenUp).toEqual([]);
  });

  it('gives up a job during which five processes died', async () => {
    const queue = await open();
    await queue.enqueue('cut', 'poison', opened.database);
    await opened.database
      .updateTable('jobs')
      .set({ claim: 'of the fifth', touched_at: Date.now() - 3_600_000, attempts: 1, deaths: 4 })
      .execute();
    const { done, givenUp } = workOn(queue);
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), inTime);
    expect(done).toEqual([]);
    expect(givenUp).toEqual([['poison', 'Error: each process that ran this job died']]);
    const dead = await opened.database.selectFrom('dead_jobs').selectAll().execute();
    expect(dead).toMatchObject([{ key: 'poison', attempts: 1 }]);
  });

  it('does not let a process change a job that it has lost', async () => {
    const [slow, other] = [await open(), await open()];
    const stalled = openGate();
    const goesOn = openGate();
    const next = openGate();
    const failing = async (key: string) => {
      if (key === 'next') return next.opened;
      await stalled.opened;
      throw new Error('it was too late');
    };
    const { givenUp } = workOn(slow, { run: failing });
    await enqueue({ queue: slow, database: opened.database }, 'cut', 'a');
    await stalled.reached(1);
    // As if another process had released the claim because it was not renewed.
    await opened.database.updateTable('jobs').set({ claim: null, touched_at: null }).execute();
    const others = workOn(other, { run: () => goesOn.opened });
    await goesOn.reached(1);
    stalled.open();
    // Only `slow` can take this job, because the other process is busy. `slow` takes it only after it has handled the
    // failure of its first job.
    await enqueue({ queue: slow, database: opened.database }, 'cut', 'next');
    await next.reached(1);
    expect([...givenUp, ...others.givenUp]).toEqual([]);
    expect(await other.listKeys('cut', '')).toContain('a');
    goesOn.open();
    next.open();
    await vi.waitFor(async () => expect(await other.count('cut')).toBe(0), inTime);
    expect(await opened.database.selectFrom('dead_jobs').selectAll().execute()).toEqual([]);
  });

  it('releases running jobs at once when it closes', async () => {
    const [leaving, staying] = [await open(), await open()];
    const gate = openGate();
    workOn(leaving, { run: () => gate.opened });
    await enqueue({ queue: leaving, database: opened.database }, 'cut', 'a');
    await gate.reached(1);
    await leaving.close({ graceMs: 0 });
    expect(await staying.survey()).toEqual([expect.objectContaining({ running: 0 })]);
    gate.open();
  });
});

/** A process that takes jobs of `cut` but never finishes one, and reports which jobs it has started. */
async function startProcess(): Promise<ChildProcess> {
  const { config } = opened;
  if (config.kind !== 'postgres') throw new Error('This runs on PostgreSQL.');
  const child = fork(new URL('./testing/hanging-worker.ts', import.meta.url), [config.url], { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}
