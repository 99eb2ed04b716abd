/** Opens the child processes that one service process uses. */
import type { Config } from '../config.ts';
import { ofAnySize } from '../designs/image-limits.ts';
import { createHeicConverter } from '../workers/heic-converter.ts';
import { openCutoutPool, openImagingPool } from '../workers/pools.ts';

export type Pools = ReturnType<typeof openPools>;

/** The children start to load at once, each on its own core if there are enough. */
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
