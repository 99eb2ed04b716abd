/** Waits for idle processes before background work. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolState } from './worker-pool.ts';

/** Time between checks, in milliseconds: one twentieth of the time that a preview takes. */
const idlePollMs = 50;
const quietPollMs = 250;

interface Watched {
  state(): PoolState;
}

/**
 * Resolves once two processes of each pool, or its only one, are free: one for background work, one for the next caller.
 */
export async function untilIdle(pools: readonly Watched[], signal: AbortSignal): Promise<void> {
  const isIdle = (pool: Watched) => {
    const { busy, waiting, size } = pool.state();
    return busy + waiting <= Math.max(0, size - 2);
  };
  while (!pools.every(isIdle)) await sleep(idlePollMs, undefined, { signal });
}

interface QuietOptions {
  readonly pools: readonly Watched[];
  /** Number of waiting jobs of all service processes. */
  readonly countWaiting: () => Promise<number>;
  /** Required quiet time in milliseconds; called again at every poll. */
  readonly pauseMs: () => number;
}

/**
 * Returns a function that resolves once there has been a pause of `pauseMs` in which no task ran and no work waited.
 * One pause is enough for all work that follows, as long as no other work runs or waits whenever the function is called.
 */
export function createQuietWait({ pools, countWaiting, pauseMs }: QuietOptions) {
  const isBusy = async () =>
    pools.some((pool) => pool.state().busy + pool.state().waiting > 0) || (await countWaiting()) > 0;
  let quietUntil = 0;
  return async function untilQuiet(signal: AbortSignal): Promise<void> {
    let quietSince = performance.now();
    for (;;) {
      const isQuiet = !(await isBusy());
      const now = performance.now();
      if (!isQuiet) {
        quietSince = now;
        quietUntil = 0;
      } else if (now < quietUntil || now - quietSince >= pauseMs()) {
        quietUntil = now + longestTaskMs;
        return;
      }
      await sleep(quietPollMs, undefined, { signal });
    }
  };
}

/** Work that takes longer between two calls is preceded by another pause. */
const longestTaskMs = 30_000;

/** Resolves once `isBusy` is false. */
export async function untilNone(isBusy: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (await isBusy()) await sleep(quietPollMs, undefined, { signal });
  signal.throwIfAborted();
}
