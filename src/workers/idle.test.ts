import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createQuietWait, untilIdle } from './idle.ts';
import type { PoolState } from './worker-pool.ts';

const { signal } = new AbortController();
const makePool = (size = 1) => {
  const now = { busy: 0, waiting: 0 };
  return { now, state: () => ({ ...now, size }) as PoolState };
};
/** Whether `work` has ended after a few polls. */
const hasEnded = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), sleep(600).then(() => false)]);

function openQuietWait() {
  const pool = makePool();
  const quiet = { pauseMs: 0, jobs: 0 };
  const untilQuiet = createQuietWait({
    pools: [pool],
    countWaiting: async () => quiet.jobs,
    pauseMs: () => quiet.pauseMs,
  });
  return { pool, quiet, untilQuiet };
}

describe('work for quiet times', () => {
  it('needs one pause for all that waits, not one for each', async () => {
    const { quiet, untilQuiet } = openQuietWait();
    await untilQuiet(signal);
    quiet.pauseMs = Number.POSITIVE_INFINITY;
    for (let photo = 0; photo < 15; photo++) await untilQuiet(signal);
  });

  it.each(['a waiting job', 'a busy pool'])('needs another pause after %s', async (what) => {
    const { pool, quiet, untilQuiet } = openQuietWait();
    await untilQuiet(signal);
    quiet.pauseMs = Number.POSITIVE_INFINITY;
    if (what === 'a waiting job') quiet.jobs = 1;
    else pool.now.busy = 1;
    const next = untilQuiet(signal);
    expect(await hasEnded(next)).toBe(false);
    [quiet.jobs, pool.now.busy] = [0, 0];
    expect(await hasEnded(next)).toBe(false);
    quiet.pauseMs = 0;
    await next;
  });
});

describe('drawing ahead', () => {
  it('begins only while no pool has work', async () => {
    const [imaging, cutting] = [makePool(2), makePool()];
    cutting.now.busy = 1;
    const idle = untilIdle([imaging, cutting], signal);
    expect(await hasEnded(idle)).toBe(false);
    cutting.now.busy = 0;
    await idle;
  });
});
