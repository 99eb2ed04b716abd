/** The pools of child processes, with their sizes and time limits. */
import type { DiffusionTasks } from '../illustrations/engines/diffusion/diffusion-engine.ts';
import type { DiffusionSettings } from '../illustrations/engines/diffusion/diffusion-model.ts';
import type { CutoutTasks, CutoutWorkerConfig } from './cutout-worker.ts';
import type { ImagingTasks } from './imaging-worker.ts';
import { openWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

/** Ten times the slowest decode and render measured at the pixel limit; longer is a hang. */
const imagingTimeoutMs = 60_000;
/** A cutout of 50 megapixels on a busy machine stays well below this, model load included. */
const cutoutTimeoutMs = 120_000;

/**
 * A busy one has 150 to 250 MB, as measured over 2,000 mixed calls. Children that hold a model are not replaced: two of
 * them at once may be more than the machine has.
 */
const grownImaging = { tasks: 200, residentBytes: 256e6 };

/**
 * A task that runs cannot be interrupted, so without spare processes the call of another account would wait for one of those
 * that keep all others busy. Two, so that one may be the busy account's own.
 */
const spareImaging = 2;

export function openImagingPool(options: { size: number; maxWaiting: number }): WorkerPool<ImagingTasks> {
  return openWorkerPool<ImagingTasks>({
    ...options,
    spare: spareImaging,
    script: new URL('./imaging-worker.ts', import.meta.url),
    argument: null,
    taskTimeoutMs: imagingTimeoutMs,
    retriesAfterCrash: 1,
    decoding: ['inspectImage', 'preparePhoto', 'normalizePainting'],
    replaceFrom: grownImaging,
  });
}

/** One process: an inference uses all threads it may, and two at once on the same cores gain nothing. */
export function openCutoutPool(
  config: CutoutWorkerConfig,
  retries: Pick<WorkerPoolOptions<CutoutTasks>, 'retriesAfterCrash' | 'decoding'> = byTheQueue,
): WorkerPool<CutoutTasks> {
  return openWorkerPool<CutoutTasks>({
    script: new URL('./cutout-worker.ts', import.meta.url),
    argument: config,
    size: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    taskTimeoutMs: cutoutTimeoutMs,
    ...retries,
  });
}

/** The queue retries, and counts. */
const byTheQueue = { retriesAfterCrash: 0 };

/** Loading gigabytes and a picture on a slow machine. */
const diffusionTimeoutMs = 300_000;

/** One process, opened only where scenes are painted by a model folder. */
export function openDiffusionPool(settings: DiffusionSettings): WorkerPool<DiffusionTasks> {
  return openWorkerPool<DiffusionTasks>({
    script: new URL('./diffusion-worker.ts', import.meta.url),
    argument: settings,
    size: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    taskTimeoutMs: diffusionTimeoutMs,
    retriesAfterCrash: 0,
  });
}
