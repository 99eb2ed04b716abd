import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { PackshotError } from '../errors.ts';
import { createErrandStore } from './errand-store.ts';
import { createErrandRunner, type ErrandDoer, errandJob } from './run-errands.ts';

const eventually = { timeout: 5_000, interval: 5 };
const never = new AbortController().signal;
const options = { rank: 0, patienceMs: 60_000, signal: never };

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

/** Sender and worker on the same rows. */
function open({ maxWaiting = 10 } = {}) {
  const { database, blobs, queue, notices, errors } = house;
  const clock = () => house.clock.now;
  const errands = createErrandStore(database, clock);
  const runner = createErrandRunner({
    database,
    errands,
    blobs,
    queue,
    notices,
    clock,
    maxWaiting,
    onError: (error) => errors.push(error),
  });
  const work = (doers: Record<string, ErrandDoer>) => runner.work(doers, 2);
  return { ...runner, work, errands };
}

async function leftovers(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of house.blobs.list('errands')) keys.push(key);
  const rows = await house.database.selectFrom('errands').select('id').execute();
  return [...keys, ...rows.map(({ id }) => id)];
}
const nothingLeft = () => vi.waitFor(async () => expect(await leftovers()).toEqual([]), eventually);

/** A handler that waits at the gate, and reports whether it was aborted. */
function gatedDoer() {
  const gate = Promise.withResolvers<void>();
  const stopped: unknown[] = [];
  const begun: unknown[] = [];
  const doer: ErrandDoer = async (input, signal) => {
    begun.push(input);
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      stopped.push(input);
      reject(signal.reason);
    });
    await Promise.race([gate.promise, promise]);
    return { output: 'late' };
  };
  return { doer, begun, stopped, release: gate.resolve };
}

describe('a remote task', () => {
  it("returns the handler's output, with bytes, and leaves nothing behind", async () => {
    const { send, work } = open();
    work({ double: async (input) => ({ output: (input as number) * 2, bytes: Buffer.from('picture') }) });
    const answer = await send('double', 21, options);
    expect(answer.output).toBe(42);
    expect(String(answer.bytes)).toBe('picture');
    await nothingLeft();
    expect(house.errors).toEqual([]);
  });

  it("returns the handler's error, with its Retry-After", async () => {
    const { send, work } = open();
    work({
      refuse: async () => {
        throw new PackshotError('queue_full', 'not now', { retryAfterS: 7 });
      },
    });
    await expect(send('refuse', null, options)).rejects.toMatchObject({
      code: 'queue_full',
      message: 'not now',
      retryAfterS: 7,
    });
    await nothingLeft();
  });

  it('is retried once after a crash, and then fails as an internal error', async () => {
    let tries = 0;
    const { send, work } = open();
    work({
      crash: async () => {
        tries++;
        throw new Error('out of memory at /secret/path');
      },
    });
    const failure = await send('crash', null, options).catch((error) => error);
    expect(failure).toMatchObject({ code: 'internal' });
    expect(failure.message).not.toContain('/secret');
    expect(tries).toBe(2);
  });

  it('waits for storage that is temporarily unavailable', async () => {
    let tries = 0;
    const { send, work } = open();
    work({
      async patient() {
        if (++tries < 4) throw new PackshotError('storage_unavailable', 'away');
        return { output: tries };
      },
    });
    expect((await send('patient', null, options)).output).toBe(4);
  });

  it('moves to another process when its worker shuts down', async () => {
    let tries = 0;
    const { send, work } = open();
    work({
      async stopping() {
        if (++tries < 2) throw new PackshotError('not_ready', 'The service is stopping.');
        return { output: tries };
      },
    });
    expect((await send('stopping', null, options)).output).toBe(2);
  });

  it('waits for a process that supports its kind', async () => {
    const { send, work, errands } = open();
    const asked = vi.spyOn(errands, 'findOpen');
    const doers: Record<string, ErrandDoer> = {};
    work(doers);
    const sent = send('newer', null, options);
    await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2), eventually);
    doers.newer = async () => ({ output: 'done' });
    expect((await sent).output).toBe('done');
  });

  it('times out, even if no process ever starts it', async () => {
    const { send } = open();
    await expect(send('slow', 'a', { ...options, patienceMs: 20 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    await nothingLeft();
  });

  it('is aborted in its worker once its caller has left', async () => {
    const { send, work } = open();
    const { doer, begun, stopped } = gatedDoer();
    work({ slow: doer });
    const hasty = new AbortController();
    const sent = send('slow', 'a', { ...options, signal: hasty.signal });
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    hasty.abort(new Error('gone'));
    await expect(sent).rejects.toThrow('gone');
    await vi.waitFor(() => expect(stopped).toEqual(['a']), eventually);
    await nothingLeft();
    await vi.waitFor(async () => expect(await house.queue.count(errandJob)).toBe(0), eventually);
  });

  it('is never started once its caller has left', async () => {
    const { send, work } = open();
    const done: unknown[] = [];
    await expect(
      send('note', 'a', { ...options, signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
    await nothingLeft();
    work({ note: async (input) => ({ output: done.push(input) }) });
    await send('note', 'b', options);
    expect(done).toEqual(['b']);
  });

  it("is refused beyond the limit of its account's unfinished tasks; other accounts are unaffected", async () => {
    const { send, work } = open({ maxWaiting: 1 });
    const { doer, begun, release } = gatedDoer();
    work({ slow: doer });
    const own = { ...options, accountId: 'acc_own' };
    const first = send('slow', 'a', own);
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    await expect(send('slow', 'b', own)).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    const other = send('slow', 'c', { ...options, accountId: 'acc_other' });
    await vi.waitFor(() => expect(begun).toEqual(['a', 'c']), eventually);
    release();
    expect((await first).output).toBe('late');
    expect((await other).output).toBe('late');
  });

  it('runs in order of rank', async () => {
    const { send, work } = open();
    const done: unknown[] = [];
    const sent = [
      send('note', 'full', { ...options, rank: 1 }),
      send('note', 'preview', { ...options, rank: 2 }),
    ];
    await vi.waitFor(async () => expect(await house.queue.count(errandJob)).toBe(2), eventually);
    work({ note: async (input) => ({ output: done.push(input) }) });
    await Promise.all(sent);
    expect(done).toEqual(['preview', 'full']);
  });

  it('that was never fetched is swept, with its bytes, and one with a waiting caller is not', async () => {
    const { send, work, sweepErrands, errands } = open();
    await errands.insertErrand({ id: 'err_old', kind: 'x', input: null, patienceMs: 1_000 }, house.database);
    await house.blobs.put('errands/err_old', Buffer.from('bytes'));
    await house.blobs.put('errands/err_norow', Buffer.from('bytes'));
    const { doer, begun, release } = gatedDoer();
    work({ slow: doer });
    house.clock.now += 100_000;
    const waiting = send('slow', 'a', options);
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    await sweepErrands();
    expect(await leftovers()).toHaveLength(1);
    release();
    expect((await waiting).output).toBe('late');
    await nothingLeft();
  });
});
