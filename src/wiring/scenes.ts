/** Builds the services for illustrations: plates, renders with a scene, paintings, backdrops, prerendering. */
import type { PhotoCutter } from 'packshot-cutout/service';
import type { Config } from '../config.ts';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import { designBlobs } from '../designs/design.ts';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import { createBackdropStore } from '../illustrations/backdrop-store.ts';
import { createForeignFetcher } from '../illustrations/fetch-foreign.ts';
import { createIllustrationStore, type IllustrationStore } from '../illustrations/illustration-store.ts';
import { createIllustrationUris, longestUriLifeMs } from '../illustrations/illustration-uri.ts';
import { createBackdropKeeper } from '../illustrations/keep-backdrop.ts';
import { createKeylessDraws } from '../illustrations/keyless-draws.ts';
import { createSceneOrders } from '../illustrations/order-scene.ts';
import { createPainter } from '../illustrations/painting/paint-illustration.ts';
import { createPaintingStore, type PaintingStore } from '../illustrations/painting/painting-store.ts';
import { createPrerenderer } from '../illustrations/prerender.ts';
import { createIllustrationResolver } from '../illustrations/resolve-illustration.ts';
import { createScenePlates } from '../illustrations/scene-plates.ts';
import { createIllustrationViewer } from '../illustrations/show-illustration.ts';
import { pictureOfLook } from '../looks/look.ts';
import type { LookStore } from '../looks/look-store.ts';
import type { PictureLine } from '../rendering/picture-line.ts';
import { afterCommit } from '../storage/transact.ts';
import type { Tasks } from '../tasks.ts';
import { untilIdle } from '../workers/idle.ts';
import type { Foundation } from './foundation.ts';
import { platesElsewhere } from './remote-tasks.ts';

interface Parts extends Foundation {
  readonly cutouts: CutoutMaker;
  readonly matting: Tasks<Pick<PhotoCutter, 'predictMatte'>>;
  readonly inspector: PhotoInspector;
  readonly uploadPlaces: UploadPlaces;
  readonly pictureLine: PictureLine;
  readonly looks: Pick<LookStore, 'findAnyLook'>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function buildScenes(parts: Parts) {
  const { config, clock, database, blobs, elsewhere } = parts;
  const { reportTo } = parts.reports;
  const { retentionMs } = config.designs;
  const imaging = parts.imaging.tasks;
  const working = [parts.imaging, ...(parts.cutting ? [parts.cutting] : [])];

  const illustrations = createIllustrationStore(database, clock, {
    onGrown: (id, bytes) => parts.storedBytes.add(designBlobs.of(id), bytes),
    onDropped(designId, ids) {
      for (const id of ids) {
        const drop = blobs.deleteAll(designBlobs.illustrations(designId, id));
        void drop.catch(reportTo('sweeper'));
      }
    },
  });
  const backdrops = createBackdropStore(database, { clock, retentionMs });
  const uris = createIllustrationUris({
    secrets: parts.secrets,
    clock,
    lifeMs: retentionMs ?? longestUriLifeMs,
  });
  const resolver = createIllustrationResolver({
    uris,
    illustrations,
    backdrops,
    async findLookPicture(id) {
      const look = await parts.looks.findAnyLook(id);
      return look && pictureOfLook(look);
    },
  });
  const drawKeyless = createKeylessDraws(config.scenes.mostKeylessDraws);
  const plates = createScenePlates({
    ...parts,
    illustrations,
    imaging,
    drawKeyless,
    findBudgetMs: parts.pictureLine.findBudgetMs,
    detail: config.scenes.detail,
  });
  const ahead = drawsAhead(config)
    ? createPrerenderer({
        ...parts,
        illustrations,
        plates,
        untilIdle: (signal) => untilIdle(working, signal),
        onDrawn: ({ id, designId }) => parts.progress.tell(designId, { illustrationId: id, state: 'drawn' }),
        onError: reportTo('drawing ahead'),
      })
    : undefined;
  const foreign = createForeignFetcher(config.scenes.foreign);
  const paintings = createPaintingStore(database, clock, async (painting, transaction) => {
    const { illustrationId: id, designId, accountId, state } = painting;
    const drawn = state === 'done';
    const event = { accountId, type: 'illustration.ready', data: { id, designId } } as const;
    if (drawn) await parts.outbox.tell(event, transaction);
    const news = { illustrationId: id, state: drawn ? 'painted' : 'failed' } as const;
    afterCommit(transaction, () => parts.progress.tell(designId, news));
  });
  const painter = buildPainter(parts, { illustrations, paintings });
  return {
    illustrations,
    uris,
    resolver,
    plates,
    ahead,
    painter,
    orders: createSceneOrders({
      ...parts,
      resolver,
      plates,
      imaging,
      fetchForeign: foreign.fetchForeign,
      painter: painter && { painter, patienceMs: config.scenes.painting.patienceMs },
      ahead,
    }),
    showIllustration: createIllustrationViewer({
      resolver,
      plates: elsewhere ? platesElsewhere(plates, elsewhere, drawKeyless) : plates,
      blobs,
      painter,
      imaging,
      drawKeyless,
    }),
    backdrops: createBackdropKeeper({
      ...parts,
      backdrops,
      uris,
      places: parts.uploadPlaces,
      onError: reportTo('sweeper'),
    }),
    /** Ids of the design's illustrations whose prerendering or painting is queued or in progress. */
    async listDrawing(designId: string): Promise<string[]> {
      const [drawn, painted] = await Promise.all([
        ahead?.listExpected(designId) ?? [],
        paintings.listWaiting(designId),
      ]);
      return [...drawn, ...painted];
    },
    async close(): Promise<void> {
      await Promise.all([foreign.close(), painter?.close()]);
    },
  };
}

interface PaintingStores {
  readonly illustrations: IllustrationStore;
  readonly paintings: PaintingStore;
}

function buildPainter(parts: Parts, { illustrations, paintings }: PaintingStores) {
  const { illustrationEngine: engine, config, reports, credits } = parts;
  if (!engine) return undefined;
  return createPainter({
    ...parts,
    engine,
    imaging: parts.imaging.tasks,
    cutting: parts.matting,
    illustrations,
    paintings: {
      ...paintings,
      /** Costs of all keys that share the quota: a rotated key has no separate budget. */
      async sumCosts(keyId) {
        let costs = 0;
        for (const payer of await credits.listPayers(keyId)) costs += await paintings.sumCosts(payer);
        return costs;
      },
    },
    limits: config.scenes.painting.limits,
    detail: config.scenes.detail,
    onCall(call) {
      reports.reportPainting(call);
      parts.metrics.observeEngineCall(call);
    },
    onVerdict: (illustrationId, verdict) => reports.reportPainting({ illustrationId, verdict }),
  });
}

/** Whether to prerender. A single imaging process is kept free for callers, unless other workers may serve them. */
function drawsAhead({ role, scenes, rendering }: Config): boolean {
  return scenes.drawAhead !== 'off' && (role !== 'all' || rendering.workers >= 2);
}
