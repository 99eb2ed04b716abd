import { describe, expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

const never = new AbortController().signal;

/** Ends when told, and notes how often it was begun and whether it was stopped. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const seen = { begun: 0, signal: undefined as AbortSignal | undefined };
  const work = (signal: AbortSignal) => {
    seen.begun++;
    seen.signal = signal;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  };
  return { work, seen, resolve, reject };
}

describe('shared work', () => {
  it('is done once for all who want it at the same time', async () => {
    const share = createSharedWork<string>();
    const { work, seen, resolve } = makeWork();
    const both = [share('a', never, work), share('a', never, work)];
    resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(seen.begun).toBe(1);
  });

  it('is done apart for different keys, and anew once it has ended', async () => {
    const share = createSharedWork<number>();
    let begun = 0;
    const work = async () => ++begun;
    await Promise.all([share('a', never, work), share('b', never, work)]);
    await share('a', never, work);
    expect(begun).toBe(3);
  });

  it('goes on when one of two leaves, who is told at once', async () => {
    const share = createSharedWork<string>();
    const { work, seen, resolve } = makeWork();
    const leaver = new AbortController();
    const left = share('a', leaver.signal, work);
    const stays = share('a', never, work);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(seen.signal?.aborted).toBe(false);
    resolve('done');
    expect(await stays).toBe('done');
  });

  it('is stopped when the last one leaves, and begun anew for the next', async () => {
    const share = createSharedWork<string>();
    const first = makeWork();
    const leaver = new AbortController();
    const left = share('a', leaver.signal, first.work);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(first.seen.signal?.aborted).toBe(true);
    const second = makeWork();
    const next = share('a', never, second.work);
    second.resolve('fresh');
    expect(await next).toBe('fresh');
  });

  it('fails for everyone who waits, and is tried anew afterwards', async () => {
    const share = createSharedWork<string>();
    const { work, reject } = makeWork();
    const both = [share('a', never, work), share('a', never, work)];
    reject(new Error('broken'));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await share('a', never, async () => 'well')).toBe('well');
  });

  it('is not begun for a caller who has gone already', async () => {
    const share = createSharedWork<string>();
    const { work, seen } = makeWork();
    await expect(share('a', AbortSignal.abort(new Error('gone')), work)).rejects.toThrow('gone');
    expect(seen.begun).toBe(0);
  });
});
