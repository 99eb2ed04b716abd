/** Hands the conductors of scenes what they need: plates, paintings, backdrops, and what is drawn before it is asked for. */
import type { Config } from '../config.ts';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { designBlobs } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { FairPlaces } from '../fair-places.ts';
import { createBackdropStore } from '../illustrations/backdrop-store.ts';
import { createAheadDrawer } from '../illustrations/draw-ahead.ts';
import { createForeignFetcher } from '../illustrations/fetch-foreign.ts';
import { createIllustrationStore, type IllustrationStore } from '../illustrations/illustration-store.ts';
import { createIllustrationUris, longestUriLifeMs } from '../illustrations/illustration-uri.ts';
import { createBackdropKeeper } from '../illustrations/keep-backdrop.ts';
import { createKeylessDraws } from '../illustrations/keyless-draws.ts';
import { PAINTED_EDGE_PX } from '../illustrations/painting/ask-engine.ts';
import { createPainter } from '../illustrations/painting/paint-illustration.ts';
import { createPaintingStore, type PaintingStore } from '../illustrations/painting/painting-store.ts';
import { createIllustrationResolver } from '../illustrations/resolve-illustration.ts';
import type { ScenePlates } from '../illustrations/scene-plates.ts';
import { createIllustrationViewer } from '../illustrations/show-illustration.ts';
import { renderTarget } from '../rendering/render-target.ts';
import { afterCommit } from '../storage/transact.ts';
import type { CutoutTasks } from '../workers/cutout-worker.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { platesElsewhere } from './errands.ts';
import {
  blamePhoto,
  countThreads,
  type ImagingPool,
  inspectIn,
  lastInLine,
  priority,
  untilIdle,
  wireOrders,
  wirePlates,
} from './imaging.ts';
import type { Parts } from './parts.ts';

const clock = Date.now;

interface SceneParts extends Parts {
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly uploadPlaces: FairPlaces;
}

export function wireScenes(config: Config, parts: SceneParts) {
  const { database, blobs, pools, elsewhere, secrets, reportError, events } = parts;
  const { imaging } = pools;
  const { retentionMs } = config.designs;
  const inspect = inspectIn(imaging, pools.heic, config);
  const illustrations = createIllustrationStore(database, clock, {
    onGrown: (id, bytes) => parts.storedBytes.add(designBlobs.of(id), bytes),
    onDropped(designId, ids) {
      for (const id of ids)
        void blobs
          .deleteAll(designBlobs.illustrations(designId, id))
          .catch((error) => reportError(error, 'sweeper'));
    },
  });
  const backdrops = createBackdropStore(database, { clock, retentionMs });
  const uris = createIllustrationUris({ secrets, clock, lifeMs: retentionMs ?? longestUriLifeMs });
  const resolver = createIllustrationResolver({ uris, illustrations, backdrops });
  const isKept = async (id: string) => (await illustrations.findIllustration(id)) !== undefined;
  const drawKeyless = createKeylessDraws(config.scenes.mostKeylessDraws);
  const plates = wirePlates(imaging, blobs, isKept, drawKeyless);
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
    const news = { illustrationId: id, state: drawn ? 'painted' : 'failed' } as const;
    afterCommit(transaction, () => events.progress.tell(designId, news));
  });
  const painter = wirePainter(config, parts, { illustrations, paintings });
  const ordersWith = (pool: ImagingPool, its: ScenePlates) =>
    wireOrders(pool, its, {
      config,
      heic: pools.heic,
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
      plates: elsewhere ? platesElsewhere(plates, elsewhere, drawKeyless) : plates,
      blobs,
      painter,
      drawPlain: (plan, size, account, signal) =>
        drawKeyless(account, signal, () =>
          imaging.run(
            'drawPlain',
            { plan, target: renderTarget(size, 'webp') },
            { signal, priority: priority.shown, account },
          ),
        ),
      drawBackdrop: (source, size, account, signal) =>
        drawKeyless(account, signal, () =>
          imaging.run(
            'drawBackdropPlate',
            { source, target: renderTarget(size, 'webp') },
            { signal, priority: priority.shown, account },
          ),
        ),
    }),
    backdrops: createBackdropKeeper({
      backdrops,
      blobs,
      uris,
      inspect,
      admitUpload: parts.admitUpload,
      places: parts.uploadPlaces,
      clock,
      onCounted: parts.onCounted,
      onError: (error) => reportError(error, 'sweeper'),
    }),
    orders: ordersWith(imaging, plates),
    lastOrders: ordersWith(last, wirePlates(last, blobs, isKept, drawKeyless)),
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
          () => ({
            plan,
            cutoutPng,
            boundingBox: design.subject.boundingBox,
            longEdgePx: PAINTED_EDGE_PX,
            threads: countThreads(imaging),
          }),
          { signal, priority: rank, account: design.accountId, long: true },
        ),
      normalise: (bytes, { plan, accountId }, signal) =>
        imaging
          .run('normalisePainting', { bytes, plan }, { signal, priority: rank, account: accountId })
          .catch(blamePhoto),
      async judge(picture, { design, cutoutPng }, expected, signal) {
        const matte = await cutting.run(
          'lookAt',
          { bytes: picture },
          { signal, priority: -1, account: design.accountId },
        );
        const { boundingBox } = design.subject;
        return imaging.run(
          'judgePainting',
          { matte, cutoutPng, boundingBox, ...expected },
          { signal, priority: rank, account: design.accountId },
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
export const noCutting: Pick<WorkerPool<CutoutTasks>, 'run'> = {
  run: async () => {
    throw new Error('this process cuts nothing out');
  },
};
