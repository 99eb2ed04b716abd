/** Tests that every queue implementation must pass: the order in which waiting jobs start, and the queue's reports. */
import { expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { transact } from '../storage/transact.ts';
import { createDeadJobStore } from './dead-jobs.ts';
import { enqueue, eventually, openGate, type QueueUnderTest, workOn } from './testing/queue-under-test.ts';

export function describeLine(opened: () => QueueUnderTest): void {
  describeOrder(opened);
  describeTransactions(opened);
  describeCounts(opened);
  describeDeaths(opened);
}

function describeOrder(opened: () => QueueUnderTest): void {
  it('runs higher ranks first and older jobs before newer ones, whoever enqueued them', async () => {
    const { queue, database } = opened();
    const another = await opened().openAnother();
    const { done, gate } = await holdFirst(opened());
    await another.enqueue('cut', 'patient', database, { rank: -1 });
    await queue.enqueue('cut', 'plain', database);
    await another.enqueue('cut', 'urgent', database, { rank: 2 });
    await queue.enqueue('cut', 'also plain', database);
    gate.open();
    await vi.waitFor(() => expect(done).toHaveLength(5), eventually);
    expect(done).toEqual(['first', 'urgent', 'plain', 'also plain', 'patient']);
  });

  it('lets accounts take turns, so that the 30th job of one account runs after the first of another', async () => {
    const { queue, database } = opened();
    const another = await opened().openAnother();
    const { done, gate } = await holdFirst(opened());
    const many = Array.from({ length: 30 }, (_, i) => `a${i}`);
    for (const key of many) await queue.enqueue('cut', key, database, { accountId: 'acc_a' });
    await another.enqueue('cut', ['b0', 'b1'], database, { accountId: 'acc_b' });
    await queue.enqueue('cut', 'c0', database, { accountId: 'acc_c' });
    await another.enqueue('cut', 'patient', database, { accountId: 'acc_d', rank: -1 });
    await another.enqueue('cut', 'a30', database, { accountId: 'acc_a' });
    gate.open();
    await vi.waitFor(() => expect(done).toHaveLength(36), eventually);
    expect(done.slice(1, 6)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1']);
    expect(done.filter((key) => key.startsWith('a'))).toEqual([...many, 'a30']);
    expect(done.at(-1)).toBe('patient');
  });

  it('also lets accounts take turns among the jobs of the lowest rank', async () => {
    const { queue, database } = opened();
    const { done, gate } = await holdFirst(opened());
    const behind = { rank: -1 };
    await queue.enqueue('cut', ['a0', 'a1', 'a2'], database, { ...behind, accountId: 'acc_a' });
    await queue.enqueue('cut', ['b0', 'b1'], database, { ...behind, accountId: 'acc_b' });
    await queue.enqueue('cut', ['c0', 'c1'], database, { accountId: 'acc_c' });
    gate.open();
    await vi.waitFor(() => expect(done).toHaveLength(8), eventually);
    expect(done.slice(1)).toEqual(['c0', 'c1', 'a0', 'b0', 'a1', 'b1', 'a2']);
  });

  it('gives an account no credit for idle time and no penalty for earlier jobs', async () => {
    const { queue, database } = opened();
    const gates = new Map<string, ReturnType<typeof openGate>>();
    for (const key of ['a5', 'last']) gates.set(key, openGate());
    const { done } = workOn(queue, { run: async (key) => gates.get(key)?.opened });
    const keysOf = (account: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${account}${i}`);
    await queue.enqueue('cut', keysOf('a', 10), database, { accountId: 'acc_a' });
    queue.wake();
    await gates.get('a5')!.reached(1);
    // The other account was idle until the sixth job (`a5`) was running, so its first job gets the turn of the seventh.
    await queue.enqueue('cut', keysOf('b', 4), database, { accountId: 'acc_b' });
    gates.get('a5')!.open();
    await vi.waitFor(() => expect(done).toHaveLength(14), eventually);
    expect(done.slice(5, 12)).toEqual(['a5', 'a6', 'b0', 'a7', 'b1', 'a8', 'b2']);

    await queue.enqueue('cut', 'last', database, { accountId: 'acc_a' });
    queue.wake();
    await gates.get('last')!.reached(1);
    await queue.enqueue('cut', ['b8', 'b9'], database, { accountId: 'acc_b' });
    await queue.enqueue('cut', 'a20', database, { accountId: 'acc_a' });
    gates.get('last')!.open();
    await vi.waitFor(() => expect(done).toHaveLength(18), eventually);
    expect(done.slice(15)).toEqual(['b8', 'b9', 'a20']);
  });

  it('does not start a job before its delay is over', async () => {
    const { queue, database } = opened();
    const started = new Map<string, number>();
    workOn(queue, { run: async (key) => void started.set(key, performance.now()) });
    const from = performance.now();
    await queue.enqueue('cut', 'later', database, { delayMs: 300 });
    await enqueue(opened(), 'cut', 'now');
    await vi.waitFor(() => expect([...started.keys()]).toEqual(['now', 'later']), eventually);
    expect(started.get('later')! - from).toBeGreaterThanOrEqual(295);
  });

  it('accepts a thousand keys in one call, and runs each job once', async () => {
    const { queue, database } = opened();
    const keys = Array.from({ length: 1_000 }, (_, i) => `bat_a.${i}`);
    await queue.enqueue('cut', keys, database);
    await queue.enqueue('cut', keys, database);
    expect(await queue.count('cut')).toBe(1_000);
    const { done } = workOn(queue, { concurrency: 50 });
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), eventually);
    expect(done.toSorted()).toEqual(keys.toSorted());
  });
}

function describeTransactions(opened: () => QueueUnderTest): void {
  it('accepts the first job of a name in a transaction that has already read other rows', async () => {
    const { queue, database } = opened();
    await transact(database, async (transaction) => {
      // From here on, the transaction reads from this snapshot.
      await transaction.selectFrom('designs').select('id').execute();
      await queue.enqueue('unheard-of', 'a', transaction);
    });
    expect(await queue.count('unheard-of')).toBe(1);
  });
}

function describeCounts(opened: () => QueueUnderTest): void {
  it('lists the keys that begin with a prefix, including those of running jobs', async () => {
    const { queue } = opened();
    const gate = openGate();
    workOn(queue, { run: () => gate.opened });
    await enqueue(opened(), 'cut', 'bat_1.0', 'bat_1.1', 'bat_1.10', 'bat_10.0', 'batx1.0', 'BAT_1.0');
    await gate.reached(1);
    expect(await queue.listKeys('cut', 'bat_1.')).toHaveLength(3);
    expect((await queue.listKeys('cut', 'bat_1.')).toSorted()).toEqual(['bat_1.0', 'bat_1.1', 'bat_1.10']);
    expect(await queue.listKeys('cut', '')).toHaveLength(6);
    expect(await queue.listKeys('cut', '%')).toHaveLength(0);
    expect(await queue.listKeys('other', 'bat_1.')).toHaveLength(0);
    gate.open();
  });

  it('removes the waiting jobs whose keys begin with a prefix, and leaves running ones', async () => {
    const { queue, database } = opened();
    const gate = openGate();
    const ran: string[] = [];
    workOn(queue, {
      run: async (key) => {
        ran.push(key);
        await gate.opened;
      },
    });
    await enqueue(opened(), 'cut', 'bat_1.0');
    await vi.waitFor(() => expect(ran).toEqual(['bat_1.0']), eventually);
    await enqueue(opened(), 'cut', 'bat_1.1', 'bat_10.0', 'BAT_1.0');
    await queue.enqueue('cut', 'bat_1.2', database, { delayMs: 60_000 });
    await enqueue(opened(), 'other', 'bat_1.1');
    await queue.removeWaiting('cut', 'bat_1.');
    expect((await queue.listKeys('cut', '')).toSorted()).toEqual(['BAT_1.0', 'bat_1.0', 'bat_10.0']);
    expect(await queue.count('other')).toBe(1);
    gate.open();
    await vi.waitFor(() => expect(ran.toSorted()).toEqual(['BAT_1.0', 'bat_1.0', 'bat_10.0']), eventually);
  });

  it('counts the jobs of one account', async () => {
    const { queue, database } = opened();
    const { gate } = await holdFirst(opened());
    await queue.enqueue('cut', ['a0', 'a1'], database, { accountId: 'acc_a' });
    await queue.enqueue('cut', 'b0', database, { accountId: 'acc_b', delayMs: 60_000, rank: -1 });
    await queue.enqueue('other', 'a2', database, { accountId: 'acc_a' });
    expect(await queue.countOf('cut', 'acc_a')).toBe(2);
    expect(await queue.countOf('cut', 'acc_b')).toBe(1);
    expect(await queue.countOf('cut', 'acc_c')).toBe(0);
    gate.open();
    await vi.waitFor(async () => expect(await queue.countOf('cut', 'acc_a')).toBe(0), eventually);
  });

  it('reports when its oldest job was enqueued, ignoring jobs of ranks below 0', async () => {
    const { queue, database } = opened();
    expect(await queue.findOldest('cut')).toBeUndefined();
    await queue.enqueue('cut', 'patient', database, { rank: -1 });
    expect(await queue.findOldest('cut')).toBeUndefined();
    await queue.enqueue('cut', 'first', database);
    const oldest = await queue.findOldest('cut');
    expect(oldest).toBeInstanceOf(Date);
    await queue.enqueue('cut', 'urgent', database, { rank: 5 });
    expect(await queue.findOldest('cut')).toEqual(oldest);
    const gate = openGate();
    workOn(queue, { concurrency: 3, run: () => gate.opened });
    await gate.reached(3);
    expect(await queue.findOldest('cut')).toEqual(oldest);
    expect(await queue.findOldest('other')).toBeUndefined();
    gate.open();
  });

  it('counts its jobs by name, including those that are due later', async () => {
    const { queue, database } = opened();
    expect(await queue.survey()).toEqual([]);
    await queue.enqueue('cut', ['a', 'b'], database);
    await queue.enqueue('cut', 'c', database, { delayMs: 60_000 });
    await queue.enqueue('batch', 'd', database, { delayMs: 60_000 });
    expect(await queue.survey()).toMatchObject([
      { name: 'batch', waiting: 0, delayed: 1, oldest: expect.any(Date) },
      { name: 'cut', waiting: 2, delayed: 1, oldest: expect.any(Date) },
    ]);
  });
}

function describeDeaths(opened: () => QueueUnderTest): void {
  it('keeps failed jobs and their errors for operators, except for jobs with invalid input', async () => {
    const { queue, database } = opened();
    const faults: Record<string, Error> = {
      crashed: new TypeError('no such file /srv/packshot/data/x.png'),
      judged: new PackshotError('no_subject_found', 'There is no product.'),
      broken: new PackshotError('internal', 'The weights are damaged.'),
    };
    const run = async (key: string) => {
      throw faults[key];
    };
    workOn(queue, { maxAttempts: 2, run });
    await enqueue(opened(), 'cut', ...Object.keys(faults));
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), eventually);
    const dead = await createDeadJobStore(database, Date.now).listDeadJobs();
    expect(dead.toSorted((a, b) => a.key.localeCompare(b.key))).toMatchObject([
      { name: 'cut', key: 'broken', attempts: 2, error: 'internal: The weights are damaged.' },
      { name: 'cut', key: 'crashed', attempts: 2, error: 'TypeError: no such file …' },
    ]);
  });
}

/** Starts a worker of concurrency 1, whose first job runs until the gate opens. All other jobs wait. */
async function holdFirst(opened: QueueUnderTest) {
  const gate = openGate();
  const { done } = workOn(opened.queue, {
    run: async (key) => {
      if (key === 'first') await gate.opened;
    },
  });
  await enqueue(opened, 'cut', 'first');
  await gate.reached(1);
  return { done, gate };
}
