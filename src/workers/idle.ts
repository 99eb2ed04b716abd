/** Waits for idle processes before background work. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolState } from './worker-pool.ts';

/** Time between checks, in milliseconds: one twentieth of the time that a preview takes. */
const idlePollMs = 50;
const quietPollMs = 250;

interface Watched {
  state(): PoolState;
}

/** Resolves once two processes, or the only one, are free: one for background work, one for the next caller. */
export async function untilIdle(pool: Watched, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { busy, waiting, size } = pool.state();
    if (busy + waiting <= Math.max(0, size - 2)) return;
    await sleep(idlePollMs, undefined, { signal });
  }
}

interface QuietOptions {
  readonly pools: readonly Watched[];
  /** Number of waiting jobs of all service processes. */
  readonly countWaiting: () => Promise<number>;
  /** Required quiet time in milliseconds; called again at every poll. */
  readonly pauseMs: () => number;
}

/** Resolves once there has been a pause of `pauseMs` in which no task ran and no work waited. */
export async function untilQuiet(
  { pools, countWaiting, pauseMs }: QuietOptions,
  signal: AbortSignal,
): Promise<void> {
  const isBusy = async () =>
    pools.some((pool) => pool.state().busy + pool.state().waiting > 0) || (await countWaiting()) > 0;
  let quietSince = performance.now();
  for (;;) {
    if (await isBusy()) quietSince = performance.now();
    else if (performance.now() - quietSince >= pauseMs()) return;
    await sleep(quietPollMs, undefined, { signal });
  }
}
