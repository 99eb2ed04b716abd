/** Tests that every queue implementation must pass. They use real time: no test can set PostgreSQL's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { describeLine } from './queue-line.contract.ts';
import {
  enqueue,
  eventually,
  failWith,
  openGate,
  type QueueUnderTest,
  workOn,
} from './testing/queue-under-test.ts';

type Open = () => Promise<QueueUnderTest>;

/** `open` returns an empty queue that nothing else uses. */
export function describeQueue(name: string, open: Open): void {
  describe(`a queue ${name}`, { timeout: 20_000 }, () => {
    let opened: QueueUnderTest;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    describeJobs(() => opened);
    describeFailures(() => opened);
    describeEnds(() => opened);
    describeLine(() => opened);
  });
}

function describeJobs(opened: () => QueueUnderTest): void {
  it('runs a job after the commit, and passes it its key', async () => {
    const { done } = workOn(opened().queue);
    await enqueue(opened(), 'cut', 'a', 'b');
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['a', 'b']), eventually);
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
  });

  it('runs jobs that were enqueued before there was a worker', async () => {
    await enqueue(opened(), 'cut', 'early');
    const { done } = workOn(opened().queue);
    await vi.waitFor(() => expect(done).toEqual(['early']), eventually);
  });

  it('does not run a job whose transaction was rolled back', async () => {
    const { queue, database } = opened();
    const failing = database.transaction().execute(async (transaction) => {
      await queue.enqueue('cut', 'never', transaction);
      throw new Error('the row did not fit');
    });
    await expect(failing).rejects.toThrow('did not fit');
    expect(await queue.count('cut')).toBe(0);
    const { done } = workOn(queue);
    await enqueue(opened(), 'cut', 'after');
    await vi.waitFor(() => expect(done).toEqual(['after']), eventually);
  });

  it('runs a job once more that was enqueued again while it ran', async () => {
    const { queue } = opened();
    const gate = openGate();
    let runs = 0;
    workOn(queue, {
      async run() {
        if (++runs === 1) await gate.opened;
      },
    });
    await enqueue(opened(), 'cut', 'a');
    await vi.waitFor(() => expect(runs).toBe(1), eventually);
    await enqueue(opened(), 'cut', 'a');
    gate.open();
    await vi.waitFor(() => expect(runs).toBe(2), eventually);
    await vi.waitFor(async () => expect(await queue.count('cut')).toBe(0), eventually);
  });

  it('identifies a job by its name and key', async () => {
    await enqueue(opened(), 'cut', 'a', 'a');
    await enqueue(opened(), 'cut', 'a');
    await enqueue(opened(), 'suggest', 'a');
    expect(await opened().queue.count('cut')).toBe(1);
    expect(await opened().queue.count('suggest')).toBe(1);
    const { done } = workOn(opened().queue);
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
    expect(done).toEqual(['a']);
    expect(await opened().queue.count('suggest')).toBe(1);
  });

  it('accepts a key again once its job is done', async () => {
    const { done } = workOn(opened().queue);
    for (const times of [1, 2]) {
      await enqueue(opened(), 'cut', 'a');
      await vi.waitFor(() => expect(done).toHaveLength(times), eventually);
      await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
    }
  });

  it('counts waiting and running jobs', async () => {
    const gate = openGate();
    workOn(opened().queue, { run: () => gate.opened });
    await enqueue(opened(), 'cut', 'a', 'b', 'c');
    await gate.reached(1);
    expect(await opened().queue.count('cut')).toBe(3);
    gate.open();
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
  });

  it('runs exactly as many jobs concurrently as the handler allows', async () => {
    let running = 0;
    const seen: number[] = [];
    workOn(opened().queue, {
      concurrency: 2,
      run: async () => {
        seen.push(++running);
        await sleep(20);
        running--;
      },
    });
    await enqueue(opened(), 'cut', 'a', 'b', 'c', 'd', 'e');
    await vi.waitFor(() => expect(seen).toHaveLength(5), eventually);
    expect(Math.max(...seen)).toBe(2);
  });
}

function describeFailures(opened: () => QueueUnderTest): void {
  it('retries a failing job up to maxAttempts, calls giveUp once, and deletes it', async () => {
    let tries = 0;
    const { givenUp } = workOn(opened().queue, {
      maxAttempts: 2,
      run: async () => {
        throw new Error(`try ${++tries}`);
      },
    });
    await enqueue(opened(), 'cut', 'bad');
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
    expect(tries).toBe(2);
    expect(givenUp).toEqual([['bad', 'Error: try 2']]);
  });

  it('does not count failures that are not the job’s fault', async () => {
    let tries = 0;
    const { givenUp } = workOn(opened().queue, {
      run: async () => {
        if (++tries < 3) throw new PackshotError('storage_full', 'no room');
      },
    });
    await enqueue(opened(), 'cut', 'patient');
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
    expect(tries).toBe(3);
    expect(givenUp).toEqual([]);
  });

  it('counts an attempt if the job fails with an error that is not retryable', async () => {
    const run = failWith(new PackshotError('no_subject_found', 'nothing there'));
    const { givenUp } = workOn(opened().queue, { run });
    await enqueue(opened(), 'cut', 'empty');
    await vi.waitFor(() => expect(givenUp.map(([key]) => key)).toEqual(['empty']), eventually);
  });

  it('keeps a job until its giveUp succeeds', async () => {
    const { givenUp } = workOn(opened().queue, {
      run: failWith(new Error('bad photo')),
      giveUp: async () => {
        if (givenUp.length < 2) throw new PackshotError('storage_full', 'no room for the last word');
      },
    });
    await enqueue(opened(), 'cut', 'bad');
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(0), eventually);
    expect(givenUp.map(([key]) => key)).toEqual(['bad', 'bad']);
  });

  it('does not delay other jobs because of a failing job', async () => {
    const { done } = workOn(opened().queue, {
      maxAttempts: 100,
      run: async (key) => {
        if (key === 'bad') throw new Error('again');
      },
    });
    await enqueue(opened(), 'cut', 'bad', 'a', 'b');
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['a', 'b']), eventually);
    await vi.waitFor(async () => expect(await opened().queue.count('cut')).toBe(1), eventually);
  });
}

function describeEnds(opened: () => QueueUnderTest): void {
  it('waits for running jobs while it closes, and starts no new jobs', async () => {
    const gate = openGate();
    const { done } = workOn(opened().queue, { run: () => gate.opened });
    await enqueue(opened(), 'cut', 'a', 'b');
    await gate.reached(1);
    const closing = opened().queue.close({ graceMs: 10_000 });
    gate.open();
    await closing;
    opened().queue.wake();
    expect(done).toHaveLength(1);
    expect(await opened().queue.count('cut')).toBe(1);
  });

  it('does not count failures while it closes, because resources are being released', async () => {
    const gate = openGate();
    const { givenUp } = workOn(opened().queue, {
      run: async () => {
        await gate.opened;
        throw new Error('the child was stopped');
      },
    });
    await enqueue(opened(), 'cut', 'survivor');
    await gate.reached(1);
    const closing = opened().queue.close({ graceMs: 10_000 });
    gate.open();
    await closing;
    expect(givenUp).toEqual([]);
    expect(await opened().queue.count('cut')).toBe(1);
  });

  it('runs jobs again that another process left unfinished, without counting an attempt', async () => {
    const gate = openGate();
    workOn(opened().queue, { run: () => gate.opened });
    await enqueue(opened(), 'cut', 'survivor');
    await gate.reached(1);
    await opened().queue.close({ graceMs: 0 });

    const next = await opened().openAnother();
    const { done, givenUp } = workOn(next);
    await vi.waitFor(() => expect(done).toEqual(['survivor']), eventually);
    await vi.waitFor(async () => expect(await next.count('cut')).toBe(0), eventually);
    expect(givenUp).toEqual([]);
    gate.open();
  });

  it('counts attempts across processes', async () => {
    const failed = openGate();
    workOn(opened().queue, {
      maxAttempts: 2,
      run: async () => {
        failed.open();
        throw new Error('first process');
      },
    });
    await enqueue(opened(), 'cut', 'bad');
    await failed.opened;
    // Wait until the failure is stored.
    await vi.waitFor(
      async () => expect(await opened().queue.survey()).toEqual([expect.objectContaining({ running: 0 })]),
      eventually,
    );
    await opened().queue.close({ graceMs: 1_000 });

    const next = await opened().openAnother();
    let tries = 0;
    const { givenUp } = workOn(next, {
      maxAttempts: 2,
      run: async () => {
        tries++;
        throw new Error('second process');
      },
    });
    await vi.waitFor(() => expect(givenUp).toEqual([['bad', 'Error: second process']]), eventually);
    expect(tries).toBe(1);
  });
}
