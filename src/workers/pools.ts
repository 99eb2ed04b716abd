/** The child processes of one service process, with their numbers and time limits. */

import { ofAnySize } from 'packshot-photos';
import type { Config } from '../config.ts';
import type { CutoutTasks, CutoutWorkerConfig } from './cutout-worker.ts';
import { createHeicConverter } from './heic-converter.ts';
import type { ImagingTasks } from './imaging-worker.ts';
import { openWorkerPool, type WorkerPool } from './worker-pool.ts';

/**
 * Fifteen times as long as the slowest decode and render measured at the pixel limit: on a busy machine, a scene takes
 * five times as long. A task that takes longer is considered hung.
 */
const imagingTimeoutMs = 90_000;
/** A cutout of 50 megapixels takes far less, even on a busy machine and including the time to load the model. */
const cutoutTimeoutMs = 120_000;

/**
 * When an imaging child is replaced. A busy child has 150 to 250 MB, measured over 2,000 mixed calls. Children that
 * hold a model are not replaced, because two of them at once may exceed the machine's memory.
 */
const grownImaging = { tasks: 200, residentBytes: 256e6 };

/**
 * How long a child must have been idle before its memory is freed. A new imaging child takes half a second of CPU time,
 * and a new session of the model one second. Callers with a photo every few seconds must not pay for either.
 */
const restAfterMs = 30_000;
/**
 * The same after background tasks, in imaging children only. This pause is shorter, because background tasks follow
 * each other at once and no caller waits for the next one. A child that has drawn scenes ahead holds 0.2 GB.
 */
const restAfterBackgroundMs = 5_000;

/**
 * Number of spare processes. A running task cannot be interrupted: if one account kept all processes busy, the calls of
 * other accounts would wait. Two, because the busy account itself may use one of the spare processes.
 */
const spareImaging = 2;

export type Pools = ReturnType<typeof openPools>;

/**
 * Starts the first child of each pool immediately; these children load in parallel. All other children start when there
 * is a task for them.
 */
export function openPools({ role, rendering, cutout, designs }: Config) {
  const { workers: size, maxWaiting } = rendering;
  const { engine, mode } = cutout;
  const limits = ofAnySize(designs.limits);
  return {
    // An api process has no model. This pool is opened first, because the model takes longest to load.
    cutting: role === 'api' ? undefined : openCutoutPool({ engine, mode, limits, restAfterMs }),
    imaging: openWorkerPool<ImagingTasks>({
      size,
      maxWaiting,
      spare: spareImaging,
      script: new URL('./imaging-worker.ts', import.meta.url),
      argument: null,
      taskTimeoutMs: imagingTimeoutMs,
      retriesAfterCrash: 1,
      decoding: ['inspectImage', 'preparePhoto', 'normalizePainting', 'measurePicture'],
      replaceFrom: grownImaging,
      restAfter: { callMs: restAfterMs, backgroundMs: restAfterBackgroundMs },
    }),
    heic: designs.readsHeic ? createHeicConverter() : undefined,
  };
}

/** One process, because one inference already uses all cores; two inferences at once are no faster. */
function openCutoutPool(config: CutoutWorkerConfig): WorkerPool<CutoutTasks> {
  return openWorkerPool<CutoutTasks>({
    script: new URL('./cutout-worker.ts', import.meta.url),
    argument: config,
    size: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    taskTimeoutMs: cutoutTimeoutMs,
    // Loading the model takes longer than any task, and all accounts would wait for it.
    finishesBegun: true,
    // The job queue retries and counts the attempts.
    retriesAfterCrash: 0,
  });
}

export async function closePools({ cutting, imaging, heic }: Pools): Promise<void> {
  await Promise.all([imaging.close(), heic?.close(), cutting?.close()]);
}
