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
});
