import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepLeastRate } from './least-rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rate = { graceMs: 5_000, minBytesPerSecond: 50_000 };

/** An upload's body; `arrive` lets bytes arrive at a rate for some seconds of fake time. */
function openBody() {
  const socket = { bytesRead: 12_345 };
  const unpipe = vi.fn();
  const read = Promise.withResolvers<string>();
  const body = { complete: false, socket, unpipe };
  const result = keepLeastRate(body as never, rate, () => read.promise);
  let failure: unknown;
  result.catch((error) => {
    failure = error;
  });
  return {
    body,
    result,
    finish: read.resolve,
    failure: () => failure,
    async arrive(bytesPerSecond: number, seconds: number) {
      for (let i = 0; i < seconds * 2; i++) {
        socket.bytesRead += bytesPerSecond / 2;
        await vi.advanceTimersByTimeAsync(500);
        await vi.advanceTimersByTimeAsync(0);
      }
    },
  };
}

describe('an upload', () => {
  it('that is too slow is aborted soon after its grace period, with an error that states the minimum rate', async () => {
    const { arrive, failure, body } = openBody();
    await arrive(1, 5);
    expect(failure()).toBeUndefined();
    await arrive(1, 1);
    expect(failure()).toMatchObject({
      code: 'upload_timeout',
      status: 408,
      message: expect.stringContaining('after its first 5 s it needs 50000 bytes a second'),
    });
    expect(body.unpipe).toHaveBeenCalledOnce();
  });

  it('at the minimum rate continues, and so does an upload that pauses after a fast start', async () => {
    for (const [bytesPerSecond, seconds, pause] of [
      [50_000, 60, 0],
      [1_000_000, 2, 40],
    ] as const) {
      const { arrive, failure, finish, result } = openBody();
      await arrive(bytesPerSecond, seconds);
      await arrive(0, pause);
      expect(failure()).toBeUndefined();
      finish('the form');
      expect(await result).toBe('the form');
    }
  });

  it('that has arrived is not aborted while it is being processed', async () => {
    const { arrive, body, failure } = openBody();
    body.complete = true;
    await arrive(0, 60);
    expect(failure()).toBeUndefined();
  });

  it('leaves no timer running when it ends', async () => {
    const { finish, result } = openBody();
    finish('the form');
    await result;
    expect(vi.getTimerCount()).toBe(0);
  });
});
