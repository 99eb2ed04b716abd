/** Hands each conductor what it needs: stores, engines, and the work that child processes do for it. */
import type { CreditStore } from '../accounts/credit-store.ts';
import { createPresetStore } from '../accounts/preset-store.ts';
import type { Config } from '../config.ts';
import { type CutoutMaker, createCutoutMaker } from '../cutout/make-cutout.ts';
import { createDesignCreator } from '../designs/create-design.ts';
import { createDesignStore } from '../designs/design-store.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { createImageFetcher } from '../designs/fetch-image.ts';
import type { Queue } from '../jobs/queue.ts';
import {
  createIllustrationUris,
  longestUriLifeMs,
  type SigningSecrets,
} from '../recipes/illustration-uri.ts';
import { createDesignRenderer, type SceneOrders } from '../rendering/render-design.ts';
import { renderTarget } from '../rendering/render-target.ts';
import { type EngineCall, PAINTED_EDGE_PX } from '../scenes/ask-engine.ts';
import { createBackdropStore } from '../scenes/backdrop-store.ts';
import { createAheadDrawer } from '../scenes/draw-ahead.ts';
import { createForeignFetcher } from '../scenes/fetch-foreign.ts';
import type { IllustrationEngine } from '../scenes/illustration-engine.ts';
import { createIllustrationStore, type IllustrationStore } from '../scenes/illustration-store.ts';
import { createBackdropKeeper } from '../scenes/keep-backdrop.ts';
import type { UnansweredQuestion } from '../scenes/language-model.ts';
import { createLlmPlanner } from '../scenes/llm-planner.ts';
import { createPainter } from '../scenes/paint-illustration.ts';
import { createPaintingStore, type PaintingStore } from '../scenes/painting-store.ts';
import { detectKindByRules } from '../scenes/product-kind.ts';
import { createIllustrationResolver } from '../scenes/resolve-illustration.ts';
import type { ScenePlates } from '../scenes/scene-plates.ts';
import { createIllustrationViewer } from '../scenes/show-illustration.ts';
import { createRecipeSuggester } from '../scenes/suggest-recipes.ts';
import { createRequestReader } from '../scenes/understand-request.ts';
import { createVisionKindDetector } from '../scenes/vision-kind.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import type { CutoutTasks } from '../workers/cutout-worker.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { type Elsewhere, platesElsewhere } from './errands.ts';
import { type Events, tellRenders } from './events.ts';
import {
  blamePhoto,
  countThreads,
  type ImagingPool,
  inspectIn,
  lastInLine,
  lastInQueue,
  lookIn,
  priority,
  untilIdle,
  wireOrders,
  wirePlates,
} from './imaging.ts';

/** Of a batch's picture, which may wait long for its turn. */
const batchDeadlineMs = 600_000;
const clock = Date.now;
/** Cutouts are joined by many and outlive whoever asked first. */
const never = new AbortController().signal;

export interface Parts {
  /** Paints scenes; undefined where the embedded studio makes them all. */
  readonly illustrationEngine: IllustrationEngine | undefined;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly credits: Pick<CreditStore, 'listPayers'>;
  /** Throws where the storage has no room for uploads. */
  readonly admitUpload: () => Promise<void>;
  /** An api process holds no model. */
  readonly pools: { readonly imaging: ImagingPool; readonly cutting: WorkerPool<CutoutTasks> | undefined };
  /** Does the heavy work of an api process; undefined where it is done here. */
  readonly elsewhere: Elsewhere | undefined;
  /** Signs the URIs of illustrations. */
  readonly secrets: SigningSecrets;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportCut: (design: string, steps: readonly StepTiming[]) => void;
  readonly reportPainting: (facts: object) => void;
  readonly reportUnanswered: (question: UnansweredQuestion) => void;
  readonly onEngineCall: (call: EngineCall) => void;
  readonly events: Pick<Events, 'teller' | 'progress'>;
}

export function wireConductors(config: Config, parts: Parts) {
  const { database, blobs, queue, notices, pools, elsewhere, reportError, reportCut } = parts;
  const { imaging } = pools;
  const cutting = pools.cutting ?? noCutting;
  const { teller } = parts.events;
  const designs = createDesignStore(database, {
    clock,
    retentionMs: config.designs.retentionMs,
    onSettled: teller.tellDesign,
  });
  const last = { imaging: lastInLine(imaging), queue: lastInQueue(queue) };
  const look = lookIn(imaging);
  const detectKind = config.scenes.language.detectsKind
    ? createVisionKindDetector(config.scenes.language.model!, parts.reportUnanswered)
    : undefined;
  const cutouts = createCutoutMaker({
    designs,
    blobs,
    queue,
    notices,
    clock,
    mendElsewhere: elsewhere?.mendCutout,
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
  const { orders, lastOrders, ahead, illustrations, uris, painter, ...scenes } = wireScenes(config, {
    ...parts,
    designs,
    cutouts,
  });
  const creatorWith = (means: { readonly imaging: ImagingPool; readonly queue: Queue }) =>
    createDesignCreator({
      database,
      designs,
      blobs,
      queue: means.queue,
      inspect: inspectIn(means.imaging, config),
      admitUpload: parts.admitUpload,
      maxWaitingCutouts: config.cutout.maxWaiting,
      findCutoutPaceMs: () => cutouts.findPaceMs(),
    });
  const rendererWith = (
    pool: ImagingPool,
    scenes: SceneOrders,
    deadlineMs: Config['rendering']['deadlineMs'],
  ) =>
    createDesignRenderer({
      designs,
      cutouts,
      draw: (input, signal) =>
        pool.run('drawPicture', input, { signal, priority: priority[input.target.name] }),
      scenes,
      drawElsewhere: elsewhere?.drawDesign,
      deadlineMs,
    });
  const { renderDesign, drawDesign } = rendererWith(imaging, orders, config.rendering.deadlineMs);
  return {
    ...scenes,
    ahead,
    illustrations,
    drawDesign,
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
      plan: (request, signal) => imaging.run('planScenes', request, { signal, priority: priority.preview }),
      readRequest: createRequestReader(
        config.scenes.language.model && {
          plan: createLlmPlanner(config.scenes.language.model, parts.reportUnanswered),
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
    creator: creatorWith({ imaging, queue }),
    renderDesign: tellRenders(renderDesign, teller),
    /** The same for batches: everybody else goes first. */
    last: {
      creator: creatorWith(last),
      renderDesign: rendererWith(last.imaging, lastOrders, {
        preview: batchDeadlineMs,
        generated: batchDeadlineMs,
      }).renderDesign,
    },
  };
}

export type Conductors = ReturnType<typeof wireConductors>;

interface SceneParts extends Parts {
  readonly designs: ReturnType<typeof createDesignStore>;
  readonly cutouts: CutoutMaker;
}

function wireScenes(config: Config, parts: SceneParts) {
  const { database, blobs, pools, elsewhere, secrets, reportError, events } = parts;
  const { imaging } = pools;
  const { retentionMs } = config.designs;
  const inspect = inspectIn(imaging, config);
  const illustrations = createIllustrationStore(database, clock);
  const backdrops = createBackdropStore(database, { clock, retentionMs });
  const uris = createIllustrationUris({ secrets, clock, lifeMs: retentionMs ?? longestUriLifeMs });
  const resolver = createIllustrationResolver({ uris, illustrations, backdrops });
  const isKept = async (id: string) => (await illustrations.findIllustration(id)) !== undefined;
  const plates = wirePlates(imaging, blobs, isKept);
  const ahead = drawsAhead(config)
    ? createAheadDrawer({
        database,
        queue: parts.queue,
        designs: parts.designs,
        cutouts: parts.cutouts,
        illustrations,
        plates,
        untilIdle: untilIdle(imaging),
        onDrawn: ({ id, designId }) => events.progress.tell(designId, { illustrationId: id, state: 'drawn' }),
        onError: (error) => reportError(error, 'drawing ahead'),
      })
    : undefined;
  const foreign = createForeignFetcher(config.scenes.foreign);
  const paintings = createPaintingStore(database, clock, async (painting, transaction) => {
    const { illustrationId: id, designId, accountId, state } = painting;
    const drawn = state === 'done';
    if (drawn) await events.teller.tellIllustration({ id, designId, accountId }, transaction);
    events.progress.tell(designId, { illustrationId: id, state: drawn ? 'painted' : 'failed' });
  });
  const painter = wirePainter(config, parts, { illustrations, paintings });
  const ordersWith = (pool: ImagingPool, its: ScenePlates) =>
    wireOrders(pool, its, {
      config,
      blobs,
      resolver,
      fetchForeign: foreign.fetchForeign,
      painter: painter && { painter, patienceMs: config.scenes.painting.patienceMs },
    });
  const last = lastInLine(imaging);
  return {
    illustrations,
    uris,
    ahead,
    painter,
    showIllustration: createIllustrationViewer({
      resolver,
      plates: elsewhere ? platesElsewhere(plates, elsewhere) : plates,
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
      admitUpload: parts.admitUpload,
      clock,
      onError: (error) => reportError(error, 'sweeper'),
    }),
    orders: ordersWith(imaging, plates),
    lastOrders: ordersWith(last, wirePlates(last, blobs, isKept)),
    plates,
    /** Illustrations of a design that are being drawn or painted, though nobody asked for their pictures yet. */
    async listDrawing(designId: string): Promise<string[]> {
      const [drawn, painted] = await Promise.all([
        ahead?.listExpected(designId) ?? [],
        paintings.listWaiting(designId),
      ]);
      return [...drawn, ...painted];
    },
    async closeScenes(): Promise<void> {
      await Promise.all([foreign.close(), painter?.close()]);
    },
  };
}

function wirePainter(
  config: Config,
  parts: SceneParts,
  {
    illustrations,
    paintings,
  }: { readonly illustrations: IllustrationStore; readonly paintings: PaintingStore },
) {
  const { illustrationEngine: engine, blobs, queue, designs, cutouts, pools } = parts;
  if (!engine) return undefined;
  const { imaging } = pools;
  const cutting = pools.cutting ?? noCutting;
  const rank = priority.generated;
  return createPainter({
    engine,
    paintings: {
      ...paintings,
      /** Of all keys of its quota: a rotated key has no budget of its own. */
      async sumCosts(keyId) {
        let costs = 0;
        for (const payer of await parts.credits.listPayers(keyId)) costs += await paintings.sumCosts(payer);
        return costs;
      },
    },
    illustrations,
    designs,
    cutouts,
    blobs,
    queue,
    notices: parts.notices,
    work: {
      makeScaffold: (plan, { design, cutoutPng }, signal) =>
        imaging.run(
          'makeScaffold',
          {
            plan,
            cutoutPng,
            boundingBox: design.subject.boundingBox,
            longEdgePx: PAINTED_EDGE_PX,
            threads: countThreads(imaging),
          },
          { signal, priority: rank },
        ),
      normalise: (bytes, plan, signal) =>
        imaging.run('normalisePainting', { bytes, plan }, { signal, priority: rank }).catch(blamePhoto),
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
    onCall(call) {
      parts.reportPainting(call);
      parts.onEngineCall(call);
    },
    onVerdict: (illustrationId, verdict) => parts.reportPainting({ illustrationId, verdict }),
  });
}

/** A single process is kept for whoever asks, unless other workers may be there for them. */
function drawsAhead({ role, scenes, rendering }: Config): boolean {
  return scenes.drawAhead !== 'off' && (role !== 'all' || rendering.workers >= 2);
}

/** Of a process that takes no jobs of cutouts. */
const noCutting: Pick<WorkerPool<CutoutTasks>, 'run'> = {
  run: async () => {
    throw new Error('this process cuts nothing out');
  },
};
