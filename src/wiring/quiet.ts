/** Tells when nothing else has been waiting for a while, for work that a caller's would have to wait behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cutoutJob } from '../designs/create-design.ts';
import type { Queue } from '../jobs/queue.ts';
import type { PoolState } from '../workers/worker-pool.ts';

const pollMs = 250;

interface Watched {
  readonly queue: Pick<Queue, 'count'>;
  readonly pools: Readonly<Record<'imaging' | 'cutting', { state(): PoolState } | undefined>>;
}

/** Resolves once no process has a cutout to make, and this one nothing at all, for `pauseMs`. */
export function untilQuiet({ queue, pools }: Watched, { pauseMs }: { readonly pauseMs: () => number }) {
  const isBusy = async (): Promise<boolean> => {
    for (const pool of [pools.imaging, pools.cutting]) {
      const { busy = 0, waiting = 0 } = pool?.state() ?? {};
      if (busy + waiting > 0) return true;
    }
    return (await queue.count(cutoutJob)) > 0;
  };
  return async (signal: AbortSignal): Promise<void> => {
    let quietSince = performance.now();
    for (;;) {
      if (await isBusy()) quietSince = performance.now();
      else if (performance.now() - quietSince >= pauseMs()) return;
      await sleep(pollMs, undefined, { signal });
    }
  };
}
