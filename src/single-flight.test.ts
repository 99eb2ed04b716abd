import { describe, expect, it } from 'vitest';
import { createSingleFlight, type Flight } from './single-flight.ts';
import type { Urgency } from './tasks.ts';

const never = { signal: new AbortController().signal };

/** Work that ends on request. Records how often the work was started and whether it was aborted. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const seen = { begun: 0, signal: undefined as AbortSignal | undefined };
  const work = ({ signal }: Flight) => {
    seen.begun++;
    seen.signal = signal;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  };
  return { work, seen, resolve, reject };
}

describe('single flight', () => {
  it('runs once for all concurrent callers', async () => {
    const share = createSingleFlight<string>();
    const { work, seen, resolve } = makeWork();
    const both = [share('a', never, work), share('a', never, work)];
    resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(seen.begun).toBe(1);
  });

  it('runs separately for different keys, and again once it has ended', async () => {
    const share = createSingleFlight<number>();
    let begun = 0;
    const work = async () => ++begun;
    await Promise.all([share('a', never, work), share('b', never, work)]);
    await share('a', never, work);
    expect(begun).toBe(3);
  });

  it('continues when one of two callers leaves, and rejects that caller at once', async () => {
    const share = createSingleFlight<string>();
    const { work, seen, resolve } = makeWork();
    const leaver = new AbortController();
    const left = share('a', leaver, work);
    const stays = share('a', never, work);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(seen.signal?.aborted).toBe(false);
    resolve('done');
    expect(await stays).toBe('done');
  });

  it('is aborted when the last caller leaves, and starts again for the next caller', async () => {
    const share = createSingleFlight<string>();
    const first = makeWork();
    const leaver = new AbortController();
    const left = share('a', leaver, first.work);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(first.seen.signal?.aborted).toBe(true);
    const second = makeWork();
    const next = share('a', never, second.work);
    second.resolve('fresh');
    expect(await next).toBe('fresh');
  });

  it('fails for every waiting caller, and starts again for the next caller', async () => {
    const share = createSingleFlight<string>();
    const { work, reject } = makeWork();
    const both = [share('a', never, work), share('a', never, work)];
    reject(new Error('broken'));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await share('a', never, async () => 'well')).toBe('well');
  });

  it('is not started for a caller who has already left', async () => {
    const share = createSingleFlight<string>();
    const { work, seen } = makeWork();
    await expect(share('a', { signal: AbortSignal.abort(new Error('gone')) }, work)).rejects.toThrow('gone');
    expect(seen.begun).toBe(0);
  });

  it('is as urgent as the most urgent caller that waits now', async () => {
    const share = createSingleFlight<string>();
    const { promise, resolve } = Promise.withResolvers<string>();
    let urgency: (() => Urgency) | undefined;
    const work = (flight: Flight) => {
      urgency = flight.urgency;
      return promise;
    };
    const batch = share('a', { ...never, urgency: 'batch' }, work);
    expect(urgency?.()).toBe('batch');
    const leaver = new AbortController();
    const asked = share('a', { signal: leaver.signal, urgency: 'preview' }, work);
    expect(urgency?.()).toBe('preview');
    leaver.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect(urgency?.()).toBe('batch');
    resolve('done');
    expect(await batch).toBe('done');
  });

  const leaveBy = (reason: unknown) => {
    const leaver = new AbortController();
    return { signal: leaver.signal, leave: () => leaver.abort(reason) };
  };
  const gone = new Error('gone');
  const late = new DOMException('too late', 'TimeoutError');

  it('is finished once it has started, and joined by the next caller', async () => {
    const share = createSingleFlight<string>();
    const { work, seen, resolve } = makeWork();
    const first = leaveBy(gone);
    const left = share('a', first, (flight) => {
      flight.onStart();
      return work(flight);
    });
    first.leave();
    await expect(left).rejects.toThrow('gone');
    const next = share('a', never, work);
    resolve('done');
    expect(await next).toBe('done');
    expect(seen.begun).toBe(1);
  });

  it('is due when the time of its first waiting caller is up', async () => {
    const share = createSingleFlight<string>();
    const { work, seen, resolve } = makeWork();
    let due: (() => number) | undefined;
    const first = { ...leaveBy(gone), dueAt: 10 };
    const left = share('a', first, (flight) => {
      due = flight.dueAt;
      return work(flight);
    });
    const next = share('a', { ...never, dueAt: 20 }, work);
    const last = share('a', never, work);
    expect(due?.()).toBe(10);
    first.leave();
    await expect(left).rejects.toThrow('gone');
    expect(due?.()).toBe(20);
    resolve('done');
    expect(await Promise.all([next, last])).toEqual(['done', 'done']);
    expect(seen.begun).toBe(1);
  });

  it('that is part of another flight starts with it', async () => {
    const [outer, inner] = [createSingleFlight<string>(), createSingleFlight<string>()];
    const { work, resolve } = makeWork();
    const first = leaveBy(gone);
    const left = outer('a', first, (flight) =>
      inner('part', flight, (own) => {
        own.onStart();
        return work(own);
      }),
    );
    first.leave();
    await expect(left).rejects.toThrow('gone');
    const next = outer('a', never, work);
    resolve('done');
    expect(await next).toBe('done');
  });

  const keep = { forMs: 60_000, maxBytes: 10, bytesOf: (text: string) => text.length };

  it('keeps its turn for a caller whose time is up, but not for one who hangs up', async () => {
    const share = createSingleFlight<string>(keep);
    for (const [reason, aborted] of [
      [late, false],
      [gone, true],
    ] as const) {
      const { work, seen } = makeWork();
      const first = leaveBy(reason);
      const left = share(String(reason), first, work);
      first.leave();
      await expect(left).rejects.toThrow();
      expect(seen.signal?.aborted).toBe(aborted);
    }
  });

  it('keeps results that no caller took, the latest ones within the limit', async () => {
    const share = createSingleFlight<string>(keep);
    const made: string[] = [];
    const gate = Promise.withResolvers<void>();
    const ask = (key: string, caller: Parameters<typeof share>[1]) =>
      share(key, caller, async ({ onStart }) => {
        onStart();
        made.push(key);
        await gate.promise;
        return key.repeat(4);
      });
    for (const key of ['a', 'b', 'c']) {
      const first = leaveBy(late);
      const left = ask(key, first);
      first.leave();
      await expect(left).rejects.toThrow('too late');
    }
    gate.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    for (const key of ['c', 'b', 'a', 'd', 'd']) expect(await ask(key, never)).toBe(key.repeat(4));
    expect(made).toEqual(['a', 'b', 'c', 'a', 'd', 'd']);
  });
});
