/** Builds the services for uploads, cutouts, renders, suggestions and drop-in interfaces. */
import { openSets } from 'packshot-sets';
import { createPresetStore } from '../accounts/preset-store.ts';
import { createBatchStore } from '../batches/batch-store.ts';
import { createItemMaker } from '../batches/make-item.ts';
import { createBatchRunner } from '../batches/run-batches.ts';
import { createBatchListener } from '../batches/tell-batches.ts';
import { createCutoutCorrector } from '../cutouts/correct-cutout.ts';
import { createCutoutImprover } from '../cutouts/improve-cutout.ts';
import { createCutoutMaker } from '../cutouts/make-cutout.ts';
import { createDesignCreator, cutoutJob } from '../designs/create-design.ts';
import { isOtherCutout } from '../designs/design.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { createImageFetcher } from '../designs/fetch-image.ts';
import { createPhotoInspector } from '../designs/inspect-photo.ts';
import { createProjectStore } from '../designs/project-store.ts';
import { createPhotoViewer } from '../designs/show-photo.ts';
import { createUploadPlaces } from '../designs/upload-places.ts';
import { createDialectCutter } from '../dialects/cut-for-dialect.ts';
import { isOfOtherOutline } from '../illustrations/illustration.ts';
import { createRecipeSuggester } from '../illustrations/suggest-recipes.ts';
import { createListingChecker } from '../listing/check-listing.ts';
import { createLookKeeper } from '../looks/keep-looks.ts';
import { createLookStore } from '../looks/look-store.ts';
import { createLookOrders } from '../looks/order-look.ts';
import { keepWarm } from '../picture-urls/keep-warm.ts';
import { createPictureNamer } from '../picture-urls/name-picture.ts';
import { createPictureShower } from '../picture-urls/show-picture.ts';
import { createSourceStore } from '../picture-urls/source-store.ts';
import { createUrlSigner } from '../picture-urls/url-signer.ts';
import { createPictureLine } from '../rendering/picture-line.ts';
import { createDesignRenderer, type DesignRenderer } from '../rendering/render-design.ts';
import { transact } from '../storage/transact.ts';
import { createLlmPlanner } from '../understanding/llm-planner.ts';
import { createProductRecognizer } from '../understanding/recognize-product.ts';
import { createRequestReader } from '../understanding/understand-request.ts';
import { createVisionKindDetector } from '../understanding/vision-kind.ts';
import { createQuietWait, untilNone } from '../workers/idle.ts';
import type { Foundation } from './foundation.ts';
import { buildScenes } from './scenes.ts';

/** The share of a preview's deadline for its cutout. The rest is for the line before it, and for rendering. */
const cutoutShare = 0.25;
/**
 * Better cutouts start once the service has been idle for `quietCutouts` times the average interval between cutouts,
 * but at most for `longestQuietMs`.
 */
const quietCutouts = 4;
const longestQuietMs = 20_000;
/** A batch picture may wait a long time for its turn. */
const batchDeadlineMs = 600_000;

export type Services = ReturnType<typeof buildServices>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function buildServices(foundation: Foundation) {
  const { config, clock, database, queue, outbox, designs, admitUpload, elsewhere } = foundation;
  const { reportTo, reportCut, reportUnanswered } = foundation.reports;
  const { limits } = config.designs;
  const { deadlineMs } = config.rendering;
  const { language } = config.scenes;
  const imaging = foundation.imaging.tasks;
  const cutting = foundation.cutting?.tasks ?? noModel;
  const uploadPlaces = createUploadPlaces(config.designs.uploads);
  const pictureLine = createPictureLine(config.rendering.workers);
  const inspector = createPhotoInspector({ imaging, heic: foundation.heic, limits });
  /** What the services below have in common. Each picks what its own type names. */
  const shared = { ...foundation, imaging, cutting, inspector, limits, uploadPlaces, places: uploadPlaces };
  const photos = createPhotoViewer(shared);
  const recognizer = createProductRecognizer({
    imaging,
    detectKind: language.detectsKind
      ? createVisionKindDetector(language.model!, reportUnanswered)
      : undefined,
    onError: reportTo('product kind'),
  });
  const cutouts = createCutoutMaker({
    ...shared,
    mendElsewhere: elsewhere?.mendCutout,
    // A function, because `improver` is created below: it needs `cutouts`, to announce improved cutouts.
    finish: (design, signal) => improver.finishCutout(design, signal),
    recognizer,
    onCut(id, steps) {
      reportCut(id, steps);
      foundation.metrics.observeCutout(steps);
    },
  });
  const improver = createCutoutImprover({
    ...shared,
    finishElsewhere: elsewhere?.finishCutout,
    untilFirstLooks: (signal) =>
      untilNone(async () => (await queue.findOldest(cutoutJob)) !== undefined, signal),
    untilQuiet: createQuietWait({
      pools: [foundation.imaging, ...(foundation.cutting ? [foundation.cutting] : [])],
      countWaiting: () => queue.count(cutoutJob),
      pauseMs: () => Math.min(quietCutouts * cutouts.findPaceMs(), longestQuietMs),
    }),
    onImproved: cutouts.tellImproved,
    isOfOtherCutout: (name, design) =>
      isOtherCutout(name, design) || isOfOtherOutline(name, design.cutoutName),
  });
  const corrector = createCutoutCorrector({
    ...shared,
    cutouts,
    runPassElsewhere: elsewhere?.runMarkedPass,
    patienceMs: deadlineMs.generated / 2,
    recognizer,
    admit: admitUpload,
    tidyLater: improver.tidyLater,
  });
  const creator = createDesignCreator({
    ...shared,
    dueInMs: cutoutShare * deadlineMs.preview,
    maxWaitingCutouts: config.cutout.maxWaiting,
    findPaceMs: cutouts.findPaceMs,
    findLeastPaceMs: cutouts.findLeastPaceMs,
  });
  const looks = createLookStore(database, { clock, ...config.looks });
  const illustrating = buildScenes({
    ...foundation,
    looks,
    cutouts,
    matting: cutting,
    inspector,
    uploadPlaces,
    pictureLine,
  });
  const { illustrations, uris, ahead, painter, resolver, plates } = illustrating;
  const { renderDesign, drawDesign } = createDesignRenderer({
    ...shared,
    cutouts,
    photos,
    scenes: illustrating.orders,
    looks: createLookOrders({ looks, scenes: illustrating.orders, plates, resolver, imaging }),
    line: pictureLine,
    drawElsewhere: elsewhere?.drawDesign,
    deadlineMs: { ...deadlineMs, batch: batchDeadlineMs },
  });
  const lookKeeper = createLookKeeper({
    looks,
    resolver,
    uris,
    clock,
    scenes: illustrating.orders,
    admit: admitUpload,
  });
  const suggestRecipes = createRecipeSuggester({
    ...shared,
    cutouts,
    illustrations,
    uris,
    ahead,
    admit: admitUpload,
    resolvePreset: createPresetStore(database, clock).resolvePreset,
    listLooks: lookKeeper.listRecipes,
    readRequest: createRequestReader(
      language.model && {
        plan: createLlmPlanner(language.model, reportUnanswered),
        seesPicture: language.seesPicture,
      },
    ),
    ownSets: config.scenes.setsDir === undefined ? undefined : openSets(config.scenes.setsDir),
    paint: config.scenes.painting.when === 'suggested' ? painter?.requestPaintings : undefined,
    deadlineMs: deadlineMs.generated,
  });
  const fetcher = createImageFetcher(config.designs.fetch);
  const urlSigner = createUrlSigner({
    secrets: foundation.pictureSecrets,
    findKey: foundation.accounts.findKey,
    clock,
  });
  const illustrationNames = {
    idOf: (uri: string) => uris.read(uri)?.id,
    uriOf: (id: string, { designId, accountId }: { designId: string; accountId: string }) =>
      uris.issue({ id, accountId, designId: id.startsWith('ill_') ? designId : '' }, 'full'),
  };
  const showPicture = keepWarm(
    createPictureShower({
      ...shared,
      creator,
      fetcher,
      renderDesign,
      signer: urlSigner,
      names: illustrationNames,
      sources: createSourceStore(database, clock),
      sourceHosts: config.designs.sourceHosts,
    }),
  );
  const listing = createListingChecker({ ...shared, renderDesign });
  const batches = createBatchRunner({
    ...shared,
    batches: createBatchStore(database, {
      clock,
      retentionMs: config.designs.retentionMs,
      listener: createBatchListener(outbox, config.server.publicUrl),
    }),
    items: createItemMaker({ ...shared, creator, fetcher, renderDesign, checkDrawn: listing.checkDrawn }),
    async admitItem({ keyId, accountId }) {
      await foundation.accounts.requireStanding(keyId);
      await admitUpload(accountId);
    },
    // If there are several rendering processes, keep one free for calls that wait for a picture.
    concurrency: Math.max(1, config.rendering.workers - 1),
    maxWaitingItems: config.batches.maxWaitingItems,
    onError: reportTo('sweeper'),
  });
  const projects = createProjectStore(database, { clock });
  const eraser = createDesignEraser({
    ...shared,
    projects,
    eraseResults: batches.eraseResultsOf,
    onErased: cutouts.forget,
    onError: reportTo('sweeper'),
  });
  return {
    uploadPlaces,
    designs,
    pictureLine,
    cutouts,
    improver,
    corrector,
    creator,
    eraser,
    photos,
    fetcher,
    illustrations,
    plates,
    ahead,
    painter,
    suggestRecipes,
    showPicture,
    drawDesign,
    listing,
    batches,
    projects,
    backdrops: illustrating.backdrops,
    showIllustration: illustrating.showIllustration,
    listDrawing: illustrating.listDrawing,
    looks: lookKeeper,
    pictureUrls: createPictureNamer({ signer: urlSigner, names: illustrationNames }),
    renderDesign: tellRenders(renderDesign, foundation),
    cutForDialect: createDialectCutter({
      ...shared,
      creator,
      cutouts,
      eraser,
      // Two of the largest photos, and one for each account.
      pixelPlaces: createUploadPlaces({ places: 2 * limits.maxPixels, maxPerAccount: limits.maxPixels }),
      fetchImage: fetcher.fetchImage,
      keepDesigns: config.dialects.keepDesigns,
      onError: reportTo('eraser'),
    }),
    async close(): Promise<void> {
      await Promise.all([illustrating.close(), fetcher.close()]);
    },
  };
}

/**
 * Emits an event for every rendered picture, except for a 304. A picture that a call returns has no database row, and
 * so no transaction that the event could join: losing the event does no harm.
 */
function tellRenders(
  renderDesign: DesignRenderer,
  { database, outbox, reports }: Foundation,
): DesignRenderer {
  return async (request) => {
    const rendered = await renderDesign(request);
    const { designId, recipeId, variant, target } = request;
    if (rendered.picture) {
      const { name: size, format } = target;
      const data = { designId, recipeId, variant, size, format, etag: rendered.etag };
      const news = { accountId: request.accountId, type: 'render.completed', data } as const;
      await transact(database, (transaction) => outbox.tell(news, transaction)).catch(
        reports.reportTo('events'),
      );
    }
    return rendered;
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('this process has no model'));

/** Stub for an api process, which has no model and takes no cutout jobs. */
const noModel = { cutPhoto: refuse, takeOnePass: refuse, predictMatte: refuse, runMarkedPass: refuse };
