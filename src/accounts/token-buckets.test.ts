import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

function open(perSecond: number, burst: number) {
  const time = { now: 1_000_000 };
  const buckets = new TokenBuckets({ perSecond, burst, clock: () => time.now });
  const takeAll = (caller = 'a') => {
    let taken = 0;
    while (taken < 10_000 && buckets.take(caller).allowed) taken++;
    return taken;
  };
  return { time, buckets, takeAll };
}

describe('a token bucket', () => {
  it('allows the burst at once and then no more', () => {
    const { buckets, takeAll } = open(10, 20);
    expect(buckets.take('a')).toEqual({
      allowed: true,
      limit: 20,
      remaining: 19,
      resetS: 1,
      retryAfterS: 1,
      waitMs: 0,
    });
    expect(takeAll()).toBe(19);
    expect(buckets.take('a')).toMatchObject({ allowed: false, remaining: 0, resetS: 2, retryAfterS: 1 });
  });

  it('lets calls beyond the rate wait for their tokens, one after the other, up to the limit', () => {
    const buckets = new TokenBuckets({ perSecond: 10, burst: 2, patienceS: 0.3, clock: () => 1_000_000 });
    const calls = Array.from({ length: 6 }, () => buckets.take('a'));
    expect(calls.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false]);
    expect(calls.map(({ waitMs }) => Math.round(waitMs))).toEqual([0, 0, 100, 200, 300, 0]);
    expect(calls.map(({ remaining }) => remaining)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  it('refills steadily, up to the burst', () => {
    const { time, takeAll } = open(10, 20);
    takeAll();
    time.now += 99;
    expect(takeAll()).toBe(0);
    time.now += 1;
    expect(takeAll()).toBe(1);
    time.now += 500;
    expect(takeAll()).toBe(5);
    time.now += 3_600_000;
    expect(takeAll()).toBe(20);
  });

  it('is separate for each caller', () => {
    const { takeAll } = open(1, 5);
    expect(takeAll('a')).toBe(5);
    expect(takeAll('b')).toBe(5);
  });

  it('may have its own rate, which may change', () => {
    const { buckets, time } = open(1, 5);
    const own = { perSecond: 10, burst: 2 };
    expect(buckets.take('a', own)).toMatchObject({ limit: 2, remaining: 1 });
    expect(buckets.take('a', own)).toMatchObject({ allowed: true, remaining: 0 });
    expect(buckets.take('a', own).allowed).toBe(false);
    time.now += 100;
    expect(buckets.take('a', own).allowed).toBe(true);
    expect(buckets.take('b')).toMatchObject({ limit: 5, remaining: 4 });
    expect(buckets.take('b', own)).toMatchObject({ limit: 2, remaining: 1 });
  });

  it('reports the exact wait until the next token', () => {
    const { time, buckets, takeAll } = open(0.1, 1);
    takeAll();
    const { retryAfterS } = buckets.take('a');
    expect(retryAfterS).toBe(10);
    time.now += retryAfterS * 1_000;
    expect(buckets.take('a').allowed).toBe(true);
  });

  it('removes no tokens when the clock jumps back, and keeps refilling', () => {
    const { time, buckets, takeAll } = open(10, 20);
    buckets.take('a');
    time.now -= 3_600_000;
    expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: 18 });
    takeAll();
    expect(buckets.take('a').allowed).toBe(false);
    time.now += 1_000;
    expect(takeAll()).toBe(10);
  });

  it('is dropped if it is the least recently used of more than ten thousand; one that is used now and then stays', () => {
    const { buckets, takeAll } = open(1, 2);
    takeAll('idle');
    takeAll('busy');
    for (let i = 0; i < 10_000; i++) {
      buckets.take(`other${i}`);
      if (i % 1_000 === 0) buckets.take('busy');
    }
    expect(buckets.take('busy').allowed).toBe(false);
    expect(buckets.take('idle').allowed).toBe(true);
  });

  it('never allows more than its burst and rate, and the reported wait always suffices', () => {
    const steps = fc.array(fc.integer({ min: -2_000, max: 2_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.integer({ min: 1, max: 30 }),
        steps,
        (rate, burst, jumps) => {
          const { time, buckets } = open(rate, burst);
          let allowed = 0;
          let forwardMs = 0;
          for (const jump of jumps) {
            time.now += jump;
            forwardMs += Math.max(0, jump);
            const state = buckets.take('a');
            allowed += Number(state.allowed);
            expect(state.remaining).toBeGreaterThanOrEqual(0);
            expect(state.remaining).toBeLessThanOrEqual(burst);
            expect(state.retryAfterS).toBeGreaterThanOrEqual(1);
            expect(state.resetS).toBeGreaterThanOrEqual(0);
          }
          expect(allowed).toBeLessThanOrEqual(burst + (forwardMs / 1000) * rate + 1e-6);
          time.now += buckets.take('a').retryAfterS * 1_000;
          expect(buckets.take('a').allowed).toBe(true);
        },
      ),
      { numRuns: 100, seed: 3 },
    );
  });
});
