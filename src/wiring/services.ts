/** Builds the conductors of uploads, cutouts, renders, suggestions, batches and drop-in interfaces. */
import { createPresetStore } from '../accounts/preset-store.ts';
import { createBatchStore } from '../batches/batch-store.ts';
import { createItemMaker } from '../batches/make-item.ts';
import { createBatchRunner } from '../batches/run-batches.ts';
import { createBatchListener } from '../batches/tell-batches.ts';
import type { Config } from '../config.ts';
import { createCutoutCorrector } from '../cutout/correct-cutout.ts';
import type { Cut } from '../cutout/cut.ts';
import { createCutoutImprover } from '../cutout/improve-cutout.ts';
import { createCutoutMaker } from '../cutout/make-cutout.ts';
import { createDesignCreator, cutoutJob, type DesignCreator } from '../designs/create-design.ts';
import { isOtherCutout } from '../designs/design.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { createImageFetcher, type ImageFetcher } from '../designs/fetch-image.ts';
import { createPhotoInspector } from '../designs/inspect-photo.ts';
import { createDialectCutter } from '../dialects/cut-for-dialect.ts';
import type { EventTeller } from '../events/tell-events.ts';
import { createFairSemaphore, type FairSemaphore } from '../fair-semaphore.ts';
import { isOfOtherOutline } from '../illustrations/illustration.ts';
import { createRecipeSuggester } from '../illustrations/suggest-recipes.ts';
import { createListingChecker, type ListingChecker } from '../listing/check-listing.ts';
import { createLookKeeper } from '../looks/keep-looks.ts';
import { createLookStore } from '../looks/look-store.ts';
import { createLookOrders } from '../looks/order-look.ts';
import type { Matte } from '../pixels.ts';
import { createDesignRenderer, type DesignRenderer } from '../rendering/render-design.ts';
import { createLlmPlanner } from '../scenes/llm-planner.ts';
import { createProductRecognizer } from '../scenes/recognize-product.ts';
import { createRequestReader } from '../scenes/understand-request.ts';
import { createVisionKindDetector } from '../scenes/vision-kind.ts';
import { untilQuiet } from '../workers/idle.ts';
import type { Foundation } from './foundation.ts';
import { buildIllustrations } from './illustrations.ts';

/** The share of a preview's deadline reserved for its cutout; the rest is for rendering. */
const cutoutShare = 0.7;
/**
 * A better cutout starts after the service was idle for `quietCutouts` times the cutout interval, capped at
 * `quietPreviews` times the preview deadline.
 */
const quietCutouts = 4;
const quietPreviews = 2;
/** A batch picture may wait long for its turn. */
const batchDeadlineMs = 600_000;
const clock = Date.now;

export type Services = ReturnType<typeof buildServices>;

export function buildServices(config: Config, foundation: Foundation) {
  const { infrastructure, reports, metrics, designs, admitUpload, onCounted, elsewhere } = foundation;
  const { database, blobs, queue, notices, pools } = infrastructure;
  const { reportError, reportUnanswered } = reports;
  const { limits } = config.designs;
  const { deadlineMs } = config.rendering;
  const { language } = config.scenes;
  const imaging = pools.imaging.tasks;
  const cutting = pools.cutting?.tasks ?? noModel;
  const uploadPlaces = createFairSemaphore(config.designs.uploads);
  const inspector = createPhotoInspector({ imaging, heic: pools.heic, limits });

  const recognizer = createProductRecognizer({
    imaging,
    detectKind: language.detectsKind
      ? createVisionKindDetector(language.model!, reportUnanswered)
      : undefined,
    onError: (error) => reportError(error, 'product kind'),
  });
  const cutouts = createCutoutMaker({
    designs,
    blobs,
    queue,
    notices,
    clock,
    cutting,
    imaging,
    mendElsewhere: elsewhere?.mendCutout,
    // Circular: a full version triggers the better cutout, which is then announced here.
    finish: (id, signal) => improver.finishCutout(id, signal),
    recognizer,
    onCut(id, steps) {
      reports.reportCut(id, steps);
      metrics.observeCutout(steps);
    },
  });
  const improver = createCutoutImprover({
    designs,
    blobs,
    queue,
    cutting,
    finishElsewhere: elsewhere?.finishCutout,
    untilQuiet: (signal) =>
      untilQuiet(
        {
          pools: [pools.imaging, ...(pools.cutting ? [pools.cutting] : [])],
          countWaiting: () => queue.count(cutoutJob),
          pauseMs: () => Math.min(quietCutouts * cutouts.findPaceMs(), quietPreviews * deadlineMs.preview),
        },
        signal,
      ),
    onImproved: cutouts.tellImproved,
    isOfOtherCutout: (name, design) =>
      isOtherCutout(name, design) || isOfOtherOutline(name, design.cutoutName),
  });
  const corrector = createCutoutCorrector({
    designs,
    blobs,
    clock,
    cutouts,
    imaging,
    limits,
    recognizer,
    admit: admitUpload,
    tidyLater: improver.tidyLater,
  });
  const creator = createDesignCreator({
    database,
    designs,
    blobs,
    queue,
    inspector,
    admitUpload,
    places: uploadPlaces,
    dueInMs: cutoutShare * deadlineMs.preview,
    maxWaitingCutouts: config.cutout.maxWaiting,
  });
  const eraser = createDesignEraser({
    designs,
    blobs,
    clock,
    onErased: cutouts.forget,
    onCounted,
    onError: (error) => reportError(error, 'sweeper'),
  });
  const looks = createLookStore(database, { clock, ...config.looks });
  const illustrating = buildIllustrations(config, {
    ...foundation,
    looks,
    cutouts,
    cutting,
    inspector,
    uploadPlaces,
  });
  const { illustrations, uris, ahead, painter, resolver, plates } = illustrating;
  const { renderDesign, drawDesign } = createDesignRenderer({
    designs,
    cutouts,
    imaging,
    scenes: illustrating.orders,
    looks: createLookOrders({ looks, plates, resolver, imaging }),
    drawElsewhere: elsewhere?.drawDesign,
    deadlineMs: { ...deadlineMs, batch: batchDeadlineMs },
  });
  const lookKeeper = createLookKeeper({ looks, resolver, uris, clock, admit: admitUpload });
  const suggestRecipes = createRecipeSuggester({
    admit: admitUpload,
    designs,
    cutouts,
    illustrations,
    uris,
    imaging,
    resolvePreset: createPresetStore(database, clock).resolvePreset,
    listLooks: lookKeeper.listRecipes,
    readRequest: createRequestReader(
      language.model && {
        plan: createLlmPlanner(language.model, reportUnanswered),
        seesPicture: language.seesPicture,
      },
    ),
    ahead,
    paint: config.scenes.painting.when === 'suggested' ? painter?.requestPaintings : undefined,
    deadlineMs: deadlineMs.generated,
  });
  const fetcher = createImageFetcher(config.designs.fetch);
  const listing = createListingChecker({
    imaging,
    inspector,
    renderDesign,
    chargeRender: foundation.chargeRender,
    places: uploadPlaces,
    limits,
  });
  return {
    cutouts,
    improver,
    corrector,
    creator,
    eraser,
    fetcher,
    illustrations,
    plates,
    ahead,
    painter,
    backdrops: illustrating.backdrops,
    showIllustration: illustrating.showIllustration,
    listDrawing: illustrating.listDrawing,
    looks: lookKeeper,
    suggestRecipes,
    drawDesign,
    renderDesign: tellRenders(renderDesign, foundation.events.teller),
    listing,
    batches: buildBatches(config, foundation, { creator, fetcher, renderDesign, listing, uploadPlaces }),
    cutForDialect: createDialectCutter({
      creator,
      cutouts,
      eraser,
      inspector,
      imaging,
      fetchImage: fetcher.fetchImage,
      credits: foundation.credits,
      chargeRender: foundation.chargeRender,
      noteUpload: foundation.noteUpload,
      keepDesigns: config.dialects.keepDesigns,
      onError: (error) => reportError(error, 'eraser'),
      limits,
      deadlineMs: deadlineMs.generated,
    }),
    async close(): Promise<void> {
      await Promise.all([illustrating.close(), fetcher.close()]);
    },
  };
}

interface BatchServices {
  readonly creator: DesignCreator;
  readonly fetcher: ImageFetcher;
  readonly renderDesign: DesignRenderer;
  readonly listing: Pick<ListingChecker, 'checkDrawn'>;
  readonly uploadPlaces: FairSemaphore;
}

function buildBatches(config: Config, foundation: Foundation, services: BatchServices) {
  const { infrastructure, reports, events, accounts, admitUpload, onCounted } = foundation;
  const { database, blobs, queue, notices } = infrastructure;
  const { creator, fetcher, renderDesign, listing, uploadPlaces } = services;
  const { noteUpload, chargeRender } = foundation;
  return createBatchRunner({
    database,
    blobs,
    queue,
    notices,
    batches: createBatchStore(database, {
      clock,
      retentionMs: config.designs.retentionMs,
      listener: createBatchListener(events.teller),
    }),
    items: createItemMaker({
      creator,
      fetcher,
      noteUpload,
      chargeRender,
      renderDesign,
      checkDrawn: listing.checkDrawn,
    }),
    async admitItem({ keyId, accountId }) {
      await accounts.requireStanding(keyId);
      await admitUpload(accountId);
    },
    admitUpload,
    uploadPlaces,
    // Keep one process free for callers.
    concurrency: Math.max(1, config.rendering.workers - 1),
    maxWaitingItems: config.batches.maxWaitingItems,
    clock,
    onCounted,
    onError: (error) => reports.reportError(error, 'sweeper'),
  });
}

/** Emits an event for every rendered picture, except for a 304. */
function tellRenders(renderDesign: DesignRenderer, teller: EventTeller): DesignRenderer {
  return async (request) => {
    const rendered = await renderDesign(request);
    const { designId, recipeId, variant, target } = request;
    if (rendered.picture) {
      const { name: size, format } = target;
      const { etag } = rendered;
      await teller.tellRender(request.accountId, { designId, recipeId, variant, size, format, etag });
    }
    return rendered;
  };
}

/** Stub for an api process, which has no model and takes no cutout jobs. */
const noModel = {
  cutPhoto: (): Promise<Cut> => Promise.reject(new Error('this process has no model')),
  takeOneLook: (): Promise<Cut> => Promise.reject(new Error('this process has no model')),
  lookAt: (): Promise<Matte> => Promise.reject(new Error('this process has no model')),
};
