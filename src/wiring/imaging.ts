/** What the imaging processes are given to do, and whose turn it is. */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { describeHeic, type InspectedImage } from '../designs/inspected-image.ts';
import { PackshotError } from '../errors.ts';
import type { ForeignFetcher } from '../illustrations/fetch-foreign.ts';
import type { KeylessDraws } from '../illustrations/keyless-draws.ts';
import { createSceneOrders, type ScenePainter } from '../illustrations/order-scene.ts';
import type { IllustrationResolver } from '../illustrations/resolve-illustration.ts';
import { createScenePlates, type PlatePriority, type ScenePlates } from '../illustrations/scene-plates.ts';
import type { JobTurn, Queue } from '../jobs/queue.ts';
import type { Box } from '../pixels.ts';
import type { SceneOrders } from '../rendering/render-design.ts';
import { type RenderTargetName, renderTarget } from '../rendering/render-target.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { HeicConverter } from '../workers/heic-converter.ts';
import type { ImagingTasks } from '../workers/imaging-worker.ts';
import { WorkerCrash, type WorkerPool } from '../workers/worker-pool.ts';

export type ImagingPool = WorkerPool<ImagingTasks>;

/**
 * Order of an account's work in the imaging processes: uploads, previews, full versions. After that work of all accounts
 * comes what is shown without a key, then what is drawn ahead, then batches.
 */
export const priority = { inspect: 3, preview: 2, generated: 1, shown: 0.1, ahead: 0, batch: -1 } as const;
/** The last step of a picture goes before the first of the next one: of eight previews one is ready after an eighth of the time. */
const finishing = 0.5;
/** More would wait for each other. */
const MOST_THREADS = 4;
/** A twentieth of a preview's time. */
const idlePollMs = 50;
const behindOthers = { rank: -1 } satisfies JobTurn;

/** The same processes, for work that lets everybody else go first. */
export function lastInLine(imaging: ImagingPool): ImagingPool {
  return {
    ...imaging,
    run: (task, input, options) => imaging.run(task, input, { ...options, priority: priority.batch }),
  };
}

/** The same queue, for jobs that let everybody else's go first. */
export function lastInQueue(queue: Queue): Queue {
  return {
    ...queue,
    enqueue: (name, keys, transaction, turn) =>
      queue.enqueue(name, keys, transaction, { ...turn, ...behindOthers }),
  };
}

export function wirePlates(
  imaging: ImagingPool,
  blobs: BlobStore,
  isKept: (illustrationId: string) => Promise<boolean>,
  drawKeyless: KeylessDraws,
): ScenePlates {
  const rank = (size: RenderTargetName, when: PlatePriority) =>
    when === 'asked' ? priority[size] : priority[when];
  // A caller who asks meanwhile finds the other cores free.
  const threads = (when: PlatePriority) => (when === 'ahead' ? 1 : countThreads(imaging));
  return createScenePlates({
    blobs,
    isKept,
    drawPlate: ({ plan, accountId }, size, when, signal) => {
      const draw = () =>
        imaging.run(
          'drawPlate',
          () => ({ plan, target: renderTarget(size, 'webp'), threads: threads(when) }),
          { signal, priority: rank(size, when), account: accountId, long: true },
        );
      return when === 'shown' ? drawKeyless(accountId, signal, draw) : draw();
    },
    groundPlate: (
      { plan, accountId, rotateDeg, shadowStrength },
      { design, cutoutPng },
      size,
      when,
      signal,
    ) =>
      imaging.run(
        'groundScene',
        () => ({
          plan,
          rotateDeg,
          shadowStrength,
          cutoutPng,
          boundingBox: design.subject.boundingBox,
          size,
          threads: threads(when),
        }),
        { signal, priority: rank(size, when), account: accountId, long: true },
      ),
  });
}

interface OrderParts {
  readonly heic: HeicConverter | undefined;
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly resolver: IllustrationResolver;
  readonly fetchForeign: ForeignFetcher['fetchForeign'];
  readonly painter: ScenePainter | undefined;
}

export function wireOrders(imaging: ImagingPool, plates: ScenePlates, needs: OrderParts): SceneOrders {
  const { config, blobs, resolver, fetchForeign, painter } = needs;
  return createSceneOrders({
    resolver,
    plates,
    blobs,
    placeProduct: ({ design, scene: { plan, rotateDeg, shrinkPx }, ...input }, signal) =>
      imaging.run(
        'placeInScene',
        { ...input, plan, rotateDeg, shrinkPx, boundingBox: design.subject.boundingBox },
        { signal, priority: priority[input.target.name] + finishing, account: design.accountId },
      ),
    groundOnBackdrop: ({ design: { subject, accountId }, backdrop, mutations, variant, ...input }, signal) =>
      imaging.run(
        'groundOnBackdrop',
        {
          ...input,
          backdrop: { bytes: backdrop },
          ratio: variant,
          boundingBox: subject.boundingBox,
          touchesEdges: subject.touchesEdges,
          layout: mutations.layout ?? {},
          shadow: mutations.shadow ?? {},
          edge: mutations.edge ?? {},
        },
        { signal, priority: priority[input.target.name], account: accountId },
      ),
    fetchForeign,
    painter,
    inspect: inspectIn(imaging, needs.heic, config),
  });
}

/** Resolves once a process is free and another one as well, for whoever comes next. */
export function untilIdle(imaging: ImagingPool) {
  return async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const { busy, waiting, size } = imaging.state();
      if (busy + waiting <= Math.max(0, size - 2)) return;
      await sleep(idlePollMs, undefined, { signal });
    }
  };
}

/**
 * Of a drawing that starts now, and is counted as busy already. One that is drawn alone has all cores; many at once have
 * one each, which costs an eighth less in all. What waits while a process is free is not to start beside it.
 */
export function countThreads(imaging: WorkerPool<ImagingTasks>): number {
  const { busy } = imaging.state();
  return Math.max(1, Math.min(MOST_THREADS, Math.floor(availableParallelism() / Math.max(1, busy))));
}

/** The photo in a form that every process reads, with what was sent. HEIC is converted once, here at the door. */
export function inspectIn(
  imaging: WorkerPool<ImagingTasks>,
  heic: HeicConverter | undefined,
  { designs: { limits } }: { readonly designs: Pick<Config['designs'], 'limits'> },
) {
  return async (bytes: Uint8Array, accountId: string, signal: AbortSignal): Promise<InspectedImage> => {
    const options = { signal, priority: priority.inspect, account: accountId };
    const readable = heic ? await heic.toReadable(bytes, limits, options) : bytes;
    const converted = readable !== bytes;
    const allowed = converted ? { ...limits, maxBytes: Number.MAX_SAFE_INTEGER } : limits;
    const facts = await imaging
      .run('inspectImage', { bytes: readable, limits: allowed }, options)
      .catch(blamePhoto);
    return { facts: converted ? { ...facts, ...describeHeic(bytes) } : facts, bytes: readable };
  };
}

export function lookIn(imaging: WorkerPool<ImagingTasks>) {
  return (
    { accountId, cutoutPng, box }: { accountId: string; cutoutPng: Uint8Array; box: Box },
    rank: number,
    signal: AbortSignal,
  ) => imaging.run('lookAtCutout', { cutoutPng, box }, { signal, priority: rank, account: accountId });
}

/** A photo that ended two decoders, one after the other, is not given a third. */
export function blamePhoto(error: unknown): never {
  if (!(error instanceof WorkerCrash)) throw error;
  throw new PackshotError(
    'image_undecodable',
    'The photo cannot be decoded here; save it anew as JPEG or PNG.',
    { cause: error },
  );
}
