/** The pools of child processes, with their sizes and time limits. */
import type { CutoutTasks, CutoutWorkerConfig } from './cutout-worker.ts';
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

export function openImagingPool(options: { size: number; maxWaiting: number }): WorkerPool<ImagingTasks> {
  return openWorkerPool<ImagingTasks>({
    ...options,
    spare: spareImaging,
    script: new URL('./imaging-worker.ts', import.meta.url),
    argument: null,
    taskTimeoutMs: imagingTimeoutMs,
    retriesAfterCrash: 1,
    decoding: ['inspectImage', 'preparePhoto', 'normalizePainting', 'measurePicture'],
    replaceFrom: grownImaging,
    restAfter: { callMs: restAfterMs, backgroundMs: restAfterBackgroundMs },
  });
}

/** One process, because one inference already uses all cores; two inferences at once are no faster. */
export function openCutoutPool(config: Omit<CutoutWorkerConfig, 'restAfterMs'>): WorkerPool<CutoutTasks> {
  return openWorkerPool<CutoutTasks>({
    script: new URL('./cutout-worker.ts', import.meta.url),
    argument: { ...config, restAfterMs } satisfies CutoutWorkerConfig,
    size: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    taskTimeoutMs: cutoutTimeoutMs,
    // Loading the model takes longer than any task, and all accounts would wait for it.
    finishesBegun: true,
    // The job queue retries and counts the attempts.
    retriesAfterCrash: 0,
  });
}
