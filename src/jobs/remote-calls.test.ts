import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { createRemoteCalls, type RemoteHandlers, remoteCallJob } from './remote-calls.ts';

const eventually = { timeout: 5_000, interval: 5 };
const never = new AbortController().signal;
const options = { rank: 0, accountId: 'acc_own', timeoutMs: 60_000, signal: never };

type Tasks = Record<string, { readonly input: unknown; readonly output: unknown }>;
type Handler = RemoteHandlers<Tasks>[string];

let house: DesignHouse;
let lateMs: number;
beforeEach(async () => {
  house = await openDesignHouse();
  lateMs = 0;
});
afterEach(() => house.close());

/** Opens remote calls that a test both makes (`call`) and answers (`work`), in place of two processes. */
function open({ maxWaiting = 10 } = {}) {
  const calls = createRemoteCalls<Tasks>({
    ...house,
    clock: () => Date.now() + lateMs,
    maxWaiting,
    onError: (error) => house.errors.push(error),
  });
  return { ...calls, work: (handlers: Record<string, Handler>) => calls.answerCalls(handlers, 2) };
}

async function leftovers(): Promise<string[]> {
  const { blobs, database } = house;
  const found: string[] = [];
  for await (const { key } of blobs.list('calls')) found.push(key);
  for (const table of ['call_results', 'jobs'] as const) {
    const rows = await database.selectFrom(table).select('id').execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}
const nothingLeft = () => vi.waitFor(async () => expect(await leftovers()).toEqual([]), eventually);

/** A handler that waits at the gate and records whether it was aborted. */
function gatedHandler() {
  const gate = Promise.withResolvers<void>();
  const stopped: unknown[] = [];
  const begun: unknown[] = [];
  const handler: Handler = async (input, signal) => {
    begun.push(input);
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      stopped.push(input);
      reject(signal.reason);
    });
    await Promise.race([gate.promise, promise]);
    return { output: 'late' };
  };
  return { handler, begun, stopped, release: gate.resolve };
}

describe('a remote call', () => {
  it("returns the handler's output, with bytes, and leaves nothing behind", async () => {
    const { call, work } = open();
    work({ double: async (input) => ({ output: (input as number) * 2, bytes: Buffer.from('picture') }) });
    const answer = await call('double', 21, options);
    expect(answer.output).toBe(42);
    expect(String(answer.bytes)).toBe('picture');
    await nothingLeft();
    expect(house.errors).toEqual([]);
  });

  it("returns the handler's error, with its Retry-After", async () => {
    const { call, work } = open();
    work({
      refuse: async () => {
        throw new PackshotError('queue_full', 'not now', { retryAfterS: 7 });
      },
    });
    await expect(call('refuse', null, options)).rejects.toMatchObject({
      code: 'queue_full',
      message: 'not now',
      retryAfterS: 7,
    });
    await nothingLeft();
  });

  it('is retried once after an unexpected error, and then fails as an internal error', async () => {
    let tries = 0;
    const { call, work } = open();
    work({
      crash: async () => {
        tries++;
        throw new Error('out of memory at /secret/path');
      },
    });
    const failure = await call('crash', null, options).catch((error) => error);
    expect(failure).toMatchObject({ code: 'internal' });
    expect(failure.message).not.toContain('/secret');
    expect(tries).toBe(2);
  });

  it('waits for storage that is temporarily unavailable', async () => {
    let tries = 0;
    const { call, work } = open();
    work({
      async patient() {
        if (++tries < 4) throw new PackshotError('storage_unavailable', 'away');
        return { output: tries };
      },
    });
    expect((await call('patient', null, options)).output).toBe(4);
  });

  it('is tried again if its worker was shutting down', async () => {
    let tries = 0;
    const { call, work } = open();
    work({
      async stopping() {
        if (++tries < 2) throw new PackshotError('not_ready', 'The service is stopping.');
        return { output: tries };
      },
    });
    expect((await call('stopping', null, options)).output).toBe(2);
  });

  it('waits for a process that has a handler for its task', async () => {
    const { call, work } = open();
    const handlers: Record<string, Handler> = {};
    work(handlers);
    const called = call('newer', null, options);
    const hasPaused = async () => {
      const job = await house.database.selectFrom('jobs').select('pauses').executeTakeFirstOrThrow();
      expect(job.pauses).toBeGreaterThan(1);
    };
    await vi.waitFor(hasPaused, eventually);
    handlers.newer = async () => ({ output: 'done' });
    expect((await called).output).toBe('done');
  });

  it('times out, even if no process ever starts it', async () => {
    const { call } = open();
    await expect(call('slow', 'a', { ...options, timeoutMs: 20 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    await nothingLeft();
  });

  it('is aborted in its worker once its caller has left', async () => {
    const { call, work } = open();
    const { handler, begun, stopped } = gatedHandler();
    work({ slow: handler });
    const hasty = new AbortController();
    const called = call('slow', 'a', { ...options, signal: hasty.signal });
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    hasty.abort(new Error('gone'));
    await expect(called).rejects.toThrow('gone');
    await vi.waitFor(() => expect(stopped).toEqual(['a']), eventually);
    await nothingLeft();
    await vi.waitFor(async () => expect(await house.queue.count(remoteCallJob)).toBe(0), eventually);
  });

  it('is never started once its caller has left', async () => {
    const { call, work } = open();
    const done: unknown[] = [];
    await expect(
      call('note', 'a', { ...options, signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
    await nothingLeft();
    work({ note: async (input) => ({ output: done.push(input) }) });
    await call('note', 'b', options);
    expect(done).toEqual(['b']);
  });

  it("is refused beyond its account's limit of unfinished calls; other accounts are unaffected", async () => {
    const { call, work } = open({ maxWaiting: 1 });
    const { handler, begun, release } = gatedHandler();
    work({ slow: handler });
    const own = { ...options, accountId: 'acc_own' };
    const first = call('slow', 'a', own);
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    await expect(call('slow', 'b', own)).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    const other = call('slow', 'c', { ...options, accountId: 'acc_other' });
    await vi.waitFor(() => expect(begun).toEqual(['a', 'c']), eventually);
    release();
    expect((await first).output).toBe('late');
    expect((await other).output).toBe('late');
  });

  it('runs in order of rank', async () => {
    const { call, work } = open();
    const done: unknown[] = [];
    const called = [
      call('note', 'full', { ...options, rank: 1 }),
      call('note', 'preview', { ...options, rank: 2 }),
    ];
    await vi.waitFor(async () => expect(await house.queue.count(remoteCallJob)).toBe(2), eventually);
    work({ note: async (input) => ({ output: done.push(input) }) });
    await Promise.all(called);
    expect(done).toEqual(['preview', 'full']);
  });

  it('survives a sweep while it runs; results and bytes that were never fetched are swept', async () => {
    const { call, work, sweepCalls } = open();
    const result = JSON.stringify({ output: null, hasBytes: true });
    await house.database
      .insertInto('call_results')
      .values({ id: 'rpc_old', result, created_at: 0 })
      .execute();
    for (const id of ['rpc_old', 'rpc_norow']) await house.blobs.put(`calls/${id}`, Buffer.from('bytes'));
    const { handler, begun, release } = gatedHandler();
    work({ slow: handler });
    const waiting = call('slow', 'a', options);
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    await sweepCalls();
    expect(await leftovers()).toHaveLength(1);
    release();
    expect((await waiting).output).toBe('late');
    await nothingLeft();
  });

  it('is dropped when its turn comes, if the caller vanished without canceling the call', async () => {
    const { work } = open();
    const done: unknown[] = [];
    const input = { task: 'note', input: 'a', timeoutMs: 1_000 };
    await house.queue.enqueue(remoteCallJob, 'rpc_orphan', house.database, { input });
    lateMs = 100_000;
    work({ note: async (its) => ({ output: done.push(its) }) });
    await nothingLeft();
    expect(done).toEqual([]);
  });

  it('stores no result once its caller has left', async () => {
    const { call, work } = open();
    const gate = Promise.withResolvers<void>();
    const begun: unknown[] = [];
    const ended: unknown[] = [];
    work({
      async deaf(input) {
        begun.push(input);
        await gate.promise;
        ended.push(input);
        return { output: 'late', bytes: Buffer.from('picture') };
      },
    });
    const hasty = new AbortController();
    const called = call('deaf', 'a', { ...options, signal: hasty.signal });
    await vi.waitFor(() => expect(begun).toEqual(['a']), eventually);
    hasty.abort(new Error('gone'));
    await expect(called).rejects.toThrow('gone');
    await vi.waitFor(async () => expect(await house.queue.count(remoteCallJob)).toBe(0), eventually);
    gate.resolve();
    await vi.waitFor(() => expect(ended).toEqual(['a']), eventually);
    await nothingLeft();
  });
});
