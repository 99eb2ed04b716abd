/** Hands each conductor what it needs: stores, engines, and the work that child processes do for it. */
import { createPresetStore } from './accounts/preset-store.ts';
import type { Config } from './config.ts';
import { type CutoutMaker, createCutoutMaker } from './cutout/make-cutout.ts';
import { createDesignCreator } from './designs/create-design.ts';
import { createDesignStore } from './designs/design-store.ts';
import { createDesignEraser } from './designs/erase-designs.ts';
import { createImageFetcher } from './designs/fetch-image.ts';
import { PackshotError } from './errors.ts';
import type { Queue } from './jobs/queue.ts';
import type { Box } from './pixels.ts';
import { createIllustrationUris } from './recipes/illustration-uri.ts';
import { createDesignRenderer } from './rendering/render-design.ts';
import { type RenderTargetName, renderTarget } from './rendering/render-target.ts';
import { createBackdropStore } from './scenes/backdrop-store.ts';
import { createAheadDrawer } from './scenes/draw-ahead.ts';
import { createForeignFetcher } from './scenes/fetch-foreign.ts';
import type { IllustrationEngine } from './scenes/illustration-engine.ts';
import { createIllustrationStore, type IllustrationStore } from './scenes/illustration-store.ts';
import { createBackdropKeeper } from './scenes/keep-backdrop.ts';
import { createLlmPlanner } from './scenes/llm-planner.ts';
import { createSceneOrders } from './scenes/order-scene.ts';
import { createPainter, PAINTED_EDGE_PX } from './scenes/paint-illustration.ts';
import { createPaintingStore } from './scenes/painting-store.ts';
import { detectKindByRules } from './scenes/product-kind.ts';
import { createIllustrationResolver } from './scenes/resolve-illustration.ts';
import { createScenePlates, type PlatePriority } from './scenes/scene-plates.ts';
import { createIllustrationViewer } from './scenes/show-illustration.ts';
import { createRecipeSuggester } from './scenes/suggest-recipes.ts';
import { createRequestReader } from './scenes/understand-request.ts';
import { createVisionKindDetector } from './scenes/vision-kind.ts';
import type { StepTiming } from './step-clock.ts';
import type { BlobStore } from './storage/blob-store.ts';
import type { Database } from './storage/database.ts';
import type { CutoutTasks } from './workers/cutout-worker.ts';
import type { ImagingTasks } from './workers/imaging-worker.ts';
import { WorkerCrash, type WorkerPool } from './workers/worker-pool.ts';

/** Order of work in the imaging processes: who waits for an id, then who looks at a preview, then the rest, then nobody. */
const priority = { inspect: 3, preview: 2, generated: 1, ahead: 0 } as const;
/** Of URIs where designs are kept for ever. */
const longestUriLifeMs = 365 * 86_400_000;
const clock = Date.now;
/** Cutouts are joined by many and outlive whoever asked first. */
const never = new AbortController().signal;

export interface Parts {
  /** Paints scenes; undefined where the embedded studio makes them all. */
  readonly illustrationEngine: IllustrationEngine | undefined;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly pools: { readonly imaging: WorkerPool<ImagingTasks>; readonly cutting: WorkerPool<CutoutTasks> };
  /** Signs the URIs of illustrations. */
  readonly secret: string;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportCut: (design: string, steps: readonly StepTiming[]) => void;
  readonly reportPainting: (facts: object) => void;
}

export function wireConductors(config: Config, parts: Parts) {
  const { database, blobs, queue, pools, reportError, reportCut } = parts;
  const { imaging, cutting } = pools;
  const designs = createDesignStore(database, { clock, retentionMs: config.designs.retentionMs });
  const inspect = inspectIn(imaging, config);
  const look = lookIn(imaging);
  const detectKind = config.scenes.language.detectsKind
    ? createVisionKindDetector(config.scenes.language.model!)
    : undefined;
  const cutouts = createCutoutMaker({
    designs,
    blobs,
    queue,
    cut: (bytes) => cutting.run('cutSubject', { bytes }, { signal: never, priority: 0 }),
    recognise: ({ origin }, { cutoutPng, subject }) =>
      look(cutoutPng, subject.boundingBox, priority.inspect, never)
        .then(
          ({ features }) =>
            features && detectKindByRules({ features, fileName: origin.fileName, hint: origin.kindHint }),
        )
        // A cutout is worth having without knowing what it shows.
        .catch((error) => void reportError(error, 'product kind')),
    ...(detectKind && {
      recogniseBetter: ({ origin }, { cutoutPng, subject }) =>
        look(cutoutPng, subject.boundingBox, priority.ahead, never)
          .then(
            ({ features, picturePng }) =>
              features &&
              detectKind({
                features,
                picturePng,
                fileName: origin.fileName,
                hint: origin.kindHint,
                signal: never,
              }),
          )
          .catch((error) => void reportError(error, 'product kind')),
    }),
    encodeWebp: (cutoutPng, signal) =>
      imaging.run('encodeWebp', { cutoutPng }, { signal, priority: priority.generated }),
    onCut: reportCut,
  });
  const { orders, ahead, illustrations, uris, painter, ...scenes } = wireScenes(config, {
    ...parts,
    designs,
    cutouts,
  });
  return {
    ...scenes,
    painter,
    designs,
    cutouts,
    suggestRecipes: createRecipeSuggester({
      designs,
      cutouts,
      illustrations,
      uris,
      resolvePreset: createPresetStore(database, clock).resolvePreset,
      look: ({ subject }, cutoutPng, signal) =>
        look(cutoutPng, subject.boundingBox, priority.preview, signal),
      readRequest: createRequestReader(
        config.scenes.language.model && {
          plan: createLlmPlanner(config.scenes.language.model),
          seesPicture: config.scenes.language.seesPicture,
        },
      ),
      ahead,
      paint: config.scenes.painting.when === 'suggested' ? painter?.requestPaintings : undefined,
      deadlineMs: config.rendering.deadlineMs.generated,
    }),
    fetcher: createImageFetcher(config.designs.fetch),
    eraser: createDesignEraser({
      designs,
      blobs,
      clock,
      onErased: (id) => cutouts.forget(id),
      onError: (error) => reportError(error, 'sweeper'),
    }),
    creator: createDesignCreator({
      database,
      designs,
      blobs,
      queue,
      inspect,
      maxWaitingCutouts: config.cutout.maxWaiting,
    }),
    renderDesign: createDesignRenderer({
      designs,
      cutouts,
      draw: (input, signal) =>
        imaging.run('drawPicture', input, { signal, priority: priority[input.target.name] }),
      scenes: orders,
      deadlineMs: config.rendering.deadlineMs,
    }),
  };
}

interface SceneParts extends Parts {
  readonly designs: ReturnType<typeof createDesignStore>;
  readonly cutouts: CutoutMaker;
}

function wireScenes(config: Config, parts: SceneParts) {
  const { database, blobs, pools, secret, reportError } = parts;
  const { imaging } = pools;
  const { retentionMs } = config.designs;
  const inspect = inspectIn(imaging, config);
  const illustrations = createIllustrationStore(database, clock);
  const backdrops = createBackdropStore(database, { clock, retentionMs });
  const uris = createIllustrationUris({ secret, clock, lifeMs: retentionMs ?? longestUriLifeMs });
  const resolver = createIllustrationResolver({ uris, illustrations, backdrops });
  const rank = (size: RenderTargetName, when: PlatePriority) =>
    when === 'ahead' ? priority.ahead : priority[size];
  const plates = createScenePlates({
    blobs,
    drawPlate: ({ plan }, size, when, signal) =>
      imaging.run(
        'drawPlate',
        { plan, target: renderTarget(size, 'webp') },
        { signal, priority: rank(size, when) },
      ),
    groundPlate: ({ plan }, { design, cutoutPng }, size, when, signal) =>
      imaging.run(
        'groundScene',
        { plan, cutoutPng, boundingBox: design.subject.boundingBox, size },
        { signal, priority: rank(size, when) },
      ),
  });
  const ahead =
    config.scenes.drawAhead === 'off'
      ? undefined
      : createAheadDrawer({ plates, onError: (error) => reportError(error, 'drawing ahead') });
  const foreign = createForeignFetcher(config.scenes.foreign);
  const painter = wirePainter(config, parts, illustrations);
  return {
    illustrations,
    uris,
    ahead,
    painter,
    showIllustration: createIllustrationViewer({
      resolver,
      plates,
      blobs,
      painter,
      drawPlain: (plan, size, signal) =>
        imaging.run(
          'drawPlain',
          { plan, target: renderTarget(size, 'webp') },
          { signal, priority: priority[size] },
        ),
      drawBackdrop: (source, size, signal) =>
        imaging.run(
          'drawBackdropPlate',
          { source, target: renderTarget(size, 'webp') },
          { signal, priority: priority[size] },
        ),
    }),
    backdrops: createBackdropKeeper({
      backdrops,
      blobs,
      uris,
      inspect,
      clock,
      onError: (error) => reportError(error, 'sweeper'),
    }),
    orders: createSceneOrders({
      resolver,
      plates,
      blobs,
      placeProduct: ({ design, ...input }, signal) =>
        imaging.run(
          'placeInScene',
          { ...input, boundingBox: design.subject.boundingBox },
          { signal, priority: priority[input.target.name] },
        ),
      groundOnBackdrop: ({ design: { subject }, backdrop, wishes, variant, ...input }, signal) =>
        imaging.run(
          'groundOnBackdrop',
          {
            ...input,
            backdrop: { bytes: backdrop },
            ratio: variant,
            boundingBox: subject.boundingBox,
            touchesEdges: subject.touchesEdges,
            layout: wishes.layout ?? {},
            shadow: wishes.shadow ?? {},
          },
          { signal, priority: priority[input.target.name] },
        ),
      fetchForeign: foreign.fetchForeign,
      painter: painter && { painter, patienceMs: config.scenes.painting.patienceMs },
      inspect,
    }),
    async closeScenes(): Promise<void> {
      await Promise.all([ahead?.close(), foreign.close(), painter?.close()]);
    },
  };
}

function wirePainter(config: Config, parts: SceneParts, illustrations: IllustrationStore) {
  const { illustrationEngine: engine, database, blobs, queue, designs, cutouts, pools } = parts;
  if (!engine) return undefined;
  const { imaging, cutting } = pools;
  const rank = priority.generated;
  return createPainter({
    engine,
    paintings: createPaintingStore(database, clock),
    illustrations,
    designs,
    cutouts,
    blobs,
    queue,
    work: {
      makeScaffold: (plan, { design, cutoutPng }, signal) =>
        imaging.run(
          'makeScaffold',
          { plan, cutoutPng, boundingBox: design.subject.boundingBox, longEdgePx: PAINTED_EDGE_PX },
          { signal, priority: rank },
        ),
      normalise: (bytes, plan, signal) =>
        imaging.run('normalisePainting', { bytes, plan }, { signal, priority: rank }),
      async judge(picture, { design, cutoutPng }, expected, signal) {
        const matte = await cutting.run('lookAt', { bytes: picture }, { signal, priority: -1 });
        const { boundingBox } = design.subject;
        return imaging.run(
          'judgePainting',
          { matte, cutoutPng, boundingBox, ...expected },
          { signal, priority: rank },
        );
      },
    },
    limits: config.scenes.painting.limits,
    clock,
    onCall: parts.reportPainting,
    onVerdict: (illustrationId, verdict) => parts.reportPainting({ illustrationId, verdict }),
  });
}

function inspectIn(imaging: WorkerPool<ImagingTasks>, { designs: { limits } }: Config) {
  return (bytes: Uint8Array, signal: AbortSignal) =>
    imaging.run('inspectImage', { bytes, limits }, { signal, priority: priority.inspect }).catch(blamePhoto);
}

function lookIn(imaging: WorkerPool<ImagingTasks>) {
  return (cutoutPng: Uint8Array, box: Box, rank: number, signal: AbortSignal) =>
    imaging.run('lookAtCutout', { cutoutPng, box }, { signal, priority: rank });
}

/** A photo that ended two decoders, one after the other, is not given a third. */
function blamePhoto(error: unknown): never {
  if (!(error instanceof WorkerCrash)) throw error;
  throw new PackshotError(
    'image_undecodable',
    'The photo cannot be decoded here; save it anew as JPEG or PNG.',
    { cause: error },
  );
}
