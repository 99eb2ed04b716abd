/** Opens the child processes that one service process uses. */
import type { Config } from '../config.ts';
import { ofAnySize } from '../designs/image-limits.ts';
import { createHeicConverter } from '../workers/heic-converter.ts';
import { openCutoutPool, openImagingPool } from '../workers/pools.ts';

export type Pools = ReturnType<typeof openPools>;

/**
 * Starts the first child of each pool immediately; these children load in parallel. All other children start when there
 * is a task for them.
 */
export function openPools({ role, rendering, cutout, designs }: Config) {
  const { workers: size, maxWaiting } = rendering;
  const { engine, mode } = cutout;
  return {
    // An api process has no model. This pool is opened first, because the model takes longest to load.
    cutting: role === 'api' ? undefined : openCutoutPool({ engine, mode, limits: ofAnySize(designs.limits) }),
    imaging: openImagingPool({ size, maxWaiting }),
    heic: designs.readsHeic ? createHeicConverter() : undefined,
  };
}

export async function closePools({ cutting, imaging, heic }: Pools): Promise<void> {
  await Promise.all([imaging.close(), heic?.close(), cutting?.close()]);
}
