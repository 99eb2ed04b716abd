import { createPresetStore } from '../accounts/preset-store.ts';
import type { Config } from '../config.ts';
import { createCutoutImprover } from '../cutout/improve-cutout.ts';
import { createCutoutMaker } from '../cutout/make-cutout.ts';
import type { Extent } from '../cutout/take-looks.ts';
import { createDesignCreator } from '../designs/create-design.ts';
import { isOtherCutout } from '../designs/design.ts';
import { createDesignStore } from '../designs/design-store.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { createImageFetcher } from '../designs/fetch-image.ts';
import { createFairPlaces } from '../fair-places.ts';
import { isOfOtherOutline } from '../illustrations/illustration.ts';
import { createRecipeSuggester } from '../illustrations/suggest-recipes.ts';
import type { Queue } from '../jobs/queue.ts';
import { createDesignRenderer, type SceneOrders } from '../rendering/render-design.ts';
import { createLlmPlanner } from '../scenes/llm-planner.ts';
import { detectKindByRules } from '../scenes/product-kind.ts';
import { createRequestReader } from '../scenes/understand-request.ts';
import { createVisionKindDetector } from '../scenes/vision-kind.ts';
import { tellRenders } from './events.ts';
import { type ImagingPool, inspectIn, lastInLine, lastInQueue, lookIn, priority } from './imaging.ts';
import type { Parts } from './parts.ts';
import { untilQuiet } from './quiet.ts';
import { noCutting, wireScenes } from './scenes.ts';

/** The share of a preview's deadline in which its cutout should be made; the rest is for drawing it. */
const cutoutShare = 0.7;
/** A better cutout waits for a pause of so many cutouts, but of no more previews than this. */
const quietCutouts = 4;
const quietPreviews = 2;
/** Of the looks at a better cutout, among the tasks of the cutting process. */
const lastCut = -1;
/** Of a batch's picture, which may wait long for its turn. */
const batchDeadlineMs = 600_000;
const clock = Date.now;
/** Cutouts are joined by many and outlive whoever asked first. */
const never = new AbortController().signal;

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
    finish: (id, signal) => improver.finishCutout(id, signal),
    cut: (photo, bytes, extent) =>
      cutting.run(
        'cutSubject',
        { photo, bytes, extent: extent as Extent },
        { signal: never, priority: 0, account: undefined },
      ),
    recognise: ({ origin, accountId }, { cutoutPng, subject }) =>
      look({ accountId, cutoutPng, box: subject.boundingBox }, priority.inspect, never)
        .then(
          ({ features }) =>
            features && detectKindByRules({ features, fileName: origin.fileName, hint: origin.kindHint }),
        )
        // A cutout is worth having without knowing what it shows.
        .catch((error) => void reportError(error, 'product kind')),
    ...(detectKind && {
      recogniseBetter: ({ origin, accountId }, { cutoutPng, subject }) =>
        look({ accountId, cutoutPng, box: subject.boundingBox }, priority.ahead, never)
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
    encodeWebp: (cutoutPng, account, signal) =>
      imaging.run('encodeWebp', { cutoutPng }, { signal, priority: priority.generated, account }),
    onCut: reportCut,
  });
  const uploadPlaces = createFairPlaces(config.designs.uploads);
  const improver = createCutoutImprover({
    designs,
    blobs,
    queue,
    finishElsewhere: elsewhere?.finishCutout,
    improve: (photo, bytes, when) =>
      cutting.run(
        'improveCutout',
        { photo, bytes },
        { signal: never, priority: when === 'asked' ? 0 : lastCut, account: undefined },
      ),
    untilQuiet: untilQuiet(parts, {
      pauseMs: () =>
        Math.min(quietCutouts * cutouts.findPaceMs(), quietPreviews * config.rendering.deadlineMs.preview),
    }),
    onImproved: (id) => cutouts.tellImproved(id),
    isOfOtherCutout: (name, current) => isOtherCutout(name, current) || isOfOtherOutline(name, current),
  });
  const dueInMs = cutoutShare * config.rendering.deadlineMs.preview;
  const { orders, lastOrders, ahead, illustrations, uris, painter, ...scenes } = wireScenes(config, {
    ...parts,
    designs,
    cutouts,
    uploadPlaces,
  });
  const creatorWith = (
    means: { readonly imaging: ImagingPool; readonly queue: Queue; readonly dueInMs?: number },
    rank: number,
    limits = config.designs.limits,
  ) =>
    createDesignCreator({
      database,
      designs,
      blobs,
      queue: means.queue,
      inspect: inspectIn(means.imaging, pools.heic, { designs: { limits } }),
      admitUpload: parts.admitUpload,
      places: uploadPlaces,
      priority: rank,
      dueInMs: means.dueInMs,
      maxWaitingCutouts: config.cutout.maxWaiting,
    });
  const rendererWith = (
    pool: ImagingPool,
    scenes: SceneOrders,
    deadlineMs: Config['rendering']['deadlineMs'],
  ) =>
    createDesignRenderer({
      designs,
      cutouts,
      draw: (input, account, signal) =>
        pool.run('drawPicture', input, { signal, priority: priority[input.target.name], account }),
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
    improver,
    suggestRecipes: createRecipeSuggester({
      admit: parts.admitUpload,
      designs,
      cutouts,
      illustrations,
      uris,
      resolvePreset: createPresetStore(database, clock).resolvePreset,
      look: ({ subject, accountId }, cutoutPng, signal) =>
        look({ accountId, cutoutPng, box: subject.boundingBox }, priority.preview, signal),
      plan: (request, account, signal) =>
        imaging.run('planScenes', request, { signal, priority: priority.preview, account }),
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
      onCounted: parts.onCounted,
      onError: (error) => reportError(error, 'sweeper'),
    }),
    uploadPlaces,
    creator: creatorWith({ imaging, queue, dueInMs }, priority.inspect),
    /** For calls that check the bytes themselves, and hand over a part of the photo without compression. */
    partCreator: creatorWith({ imaging, queue, dueInMs }, priority.inspect, {
      ...config.designs.limits,
      maxBytes: Number.MAX_SAFE_INTEGER,
    }),
    renderDesign: tellRenders(renderDesign, teller),
    /** The same for batches: everybody else goes first. */
    last: {
      creator: creatorWith(last, priority.batch),
      renderDesign: rendererWith(last.imaging, lastOrders, {
        preview: batchDeadlineMs,
        generated: batchDeadlineMs,
      }).renderDesign,
    },
  };
}

export type Conductors = ReturnType<typeof wireConductors>;
