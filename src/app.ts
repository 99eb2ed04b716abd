/** The composition root: opens stores and engines, wires conductors, returns the service. Server and tests use it alike. */
import { createAccountStore } from './accounts/account-store.ts';
import { createAuthenticator } from './accounts/authenticate.ts';
import type { Config } from './config.ts';
import { createCutoutMaker } from './cutout/make-cutout.ts';
import { createDesignCreator } from './designs/create-design.ts';
import { createDesignStore } from './designs/design-store.ts';
import { createDesignEraser } from './designs/erase-designs.ts';
import { createImageFetcher } from './designs/fetch-image.ts';
import { PackshotError } from './errors.ts';
import type { PublishedLimits } from './http/rooms.ts';
import { createServer } from './http/server.ts';
import { openEmbeddedQueue } from './jobs/embedded.ts';
import type { Queue } from './jobs/queue.ts';
import { createIllustrationUris } from './recipes/illustration-uri.ts';
import { createDesignRenderer } from './rendering/render-design.ts';
import { renderTarget } from './rendering/render-target.ts';
import { sceneRevision } from './scenes/draw-scene.ts';
import { createIllustrationStore } from './scenes/illustration-store.ts';
import type { ScenePlan } from './scenes/scene-plan.ts';
import { createIllustrationKeeper } from './scenes/show-illustration.ts';
import { createRecipeSuggester } from './scenes/suggest-recipes.ts';
import type { StepTiming } from './step-clock.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openFsBlobStore } from './storage/blobs/fs.ts';
import { type Database, openDatabase, pingDatabase } from './storage/database.ts';
import { lockDataDir } from './storage/lock-data-dir.ts';
import { ensureSecret } from './storage/secret-store.ts';
import { openCutoutPool, openImagingPool } from './workers/pools.ts';
import { WorkerCrash } from './workers/worker-pool.ts';

/** Order of work in the imaging processes: who waits for an id, then who looks at a preview, then the rest. */
const priority = { inspect: 3, preview: 2, generated: 1 } as const;
const sweepEveryMs = 3_600_000;
/** Of URIs where designs are kept for ever. */
const longestUriLifeMs = 365 * 86_400_000;
/** A cutout that is cut off starts again with the next process; only its seconds are lost. */
const cutoutGraceMs = 5_000;
const clock = Date.now;

export interface App {
  /** Resolves when the removal engine is warmed up; rejects when it cannot be opened. */
  readonly ready: Promise<void>;
  /** The first key's secret, where this start made one. */
  readonly firstKey: string | undefined;
  /** Base URL without a trailing slash, once listening. */
  listen(): Promise<string>;
  /** Stops accepting, finishes what runs, closes everything. Safe to repeat. */
  close(): Promise<void>;
}

export async function buildApp(config: Config): Promise<App> {
  const { dataDir } = config.storage;
  const lock = lockDataDir(dataDir);
  if (!lock) throw new PackshotError('storage_unavailable', 'Another Packshot is serving this data folder.');
  const database = await openDatabase(dataDir);
  const blobs = await openFsBlobStore(dataDir);
  const accounts = createAccountStore(database, clock);
  const firstKey = await ensureFirstKey(accounts, config.accounts.bootstrapApiKey);
  const queue = openEmbeddedQueue(database, { clock, onError: (error) => reportError(error, 'queue') });
  const pools = openPools(config);
  const secret = await ensureSecret(database, 'illustration-uris', clock);
  const conductors = wireConductors(config, {
    database,
    blobs,
    queue,
    pools,
    secret,
    reportError,
    reportCut,
  });

  const state = { warm: false, stopping: false };
  const server = await createServer(
    {
      ...conductors,
      authenticate: createAuthenticator(accounts, config.accounts.limits, clock),
      findObstacles: async () => [
        ...(state.stopping ? ['the service is stopping'] : []),
        ...(state.warm ? [] : ['the removal engine is warming up']),
        ...((await pingDatabase(database)) ? [] : ['the database does not answer']),
      ],
      publicUrl: config.server.publicUrl,
      published: publishLimits(config),
    },
    config.server,
  );
  function reportError(error: unknown, where: string): void {
    server.log.error({ err: error, where }, 'background work failed');
  }
  function reportCut(design: string, steps: readonly StepTiming[]): void {
    server.log.info({ design, steps }, 'cutout');
  }

  const sweep = () => void conductors.eraser.sweepDesigns().catch((error) => reportError(error, 'sweeper'));
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  sweep();
  conductors.cutouts.work();
  const ready = pools.cutting.run('warmUp', null, { signal: never, priority: 1 }).then((engine) => {
    state.warm = true;
    server.log.info({ engine: engine.id, version: engine.version }, 'removal engine ready');
  });
  // Whoever awaits it hears of a failure; here it must only not count as unheard.
  ready.catch(() => undefined);

  async function shutDown(): Promise<void> {
    state.stopping = true;
    clearInterval(sweeping);
    await server.close();
    await queue.close({ graceMs: cutoutGraceMs });
    await Promise.all([conductors.fetcher.close(), pools.imaging.close(), pools.cutting.close()]);
    await database.destroy();
    lock!.release();
  }

  let closed: Promise<void> | undefined;
  return {
    ready,
    firstKey,
    listen: () => server.listen({ host: config.server.host, port: config.server.port }),
    close: () => {
      closed ??= shutDown();
      return closed;
    },
  };
}

function openPools(config: Config) {
  const { workers: size, maxWaiting } = config.rendering;
  return {
    imaging: openImagingPool({ size, maxWaiting }),
    cutting: openCutoutPool({
      engine: config.cutout.engine,
      mode: config.cutout.mode,
      limits: config.designs.limits,
    }),
  };
}

interface Parts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly pools: ReturnType<typeof openPools>;
  /** Signs the URIs of illustrations. */
  readonly secret: string;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportCut: (design: string, steps: readonly StepTiming[]) => void;
}

function wireConductors(
  config: Config,
  { database, blobs, queue, pools, secret, reportError, reportCut }: Parts,
) {
  const { imaging, cutting } = pools;
  const { limits } = config.designs;
  const designs = createDesignStore(database, { clock, retentionMs: config.designs.retentionMs });
  const cutouts = createCutoutMaker({
    designs,
    blobs,
    queue,
    cut: (bytes) => cutting.run('cutSubject', { bytes }, { signal: never, priority: 0 }),
    encodeWebp: (cutoutPng, signal) =>
      imaging.run('encodeWebp', { cutoutPng }, { signal, priority: priority.generated }),
    onCut: reportCut,
  });
  const illustrations = createIllustrationStore(database, clock);
  const uris = createIllustrationUris({
    secret,
    clock,
    lifeMs: config.designs.retentionMs ?? longestUriLifeMs,
  });
  const keeper = createIllustrationKeeper({
    illustrations,
    uris,
    blobs,
    drawPlate: (plan, size, signal) => {
      const name = size === 'preview' ? 'preview' : 'generated';
      return imaging.run(
        'drawPlate',
        { plan, target: renderTarget(name, 'webp') },
        { signal, priority: priority[name] },
      );
    },
  });
  return {
    designs,
    cutouts,
    illustrations: keeper,
    suggestRecipes: createRecipeSuggester({
      designs,
      cutouts,
      illustrations,
      uris,
      measure: ({ subject }, cutoutPng, signal) =>
        imaging.run(
          'measureCutout',
          { cutoutPng, box: subject.boundingBox },
          { signal, priority: priority.preview },
        ),
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
      inspect: (bytes, signal) =>
        imaging
          .run('inspectImage', { bytes, limits }, { signal, priority: priority.inspect })
          .catch(blamePhoto),
      maxWaitingCutouts: config.cutout.maxWaiting,
    }),
    renderDesign: createDesignRenderer({
      designs,
      cutouts,
      draw: (input, signal) =>
        imaging.run('drawPicture', input, { signal, priority: priority[input.target.name] }),
      scenes: {
        resolveIllustration: keeper.resolveIllustration,
        // Plans come from the keeper alone; the rendering room only carries them.
        draw: (input, signal) =>
          imaging.run('drawScene', input as typeof input & { plan: ScenePlan }, {
            signal,
            priority: priority[input.target.name],
          }),
        revision: sceneRevision,
      },
      deadlineMs: config.rendering.deadlineMs,
    }),
  };
}

/** A photo that ended two decoders, one after the other, is not given a third. */
function blamePhoto(error: unknown): never {
  if (!(error instanceof WorkerCrash)) throw error;
  throw new PackshotError(
    'image_undecodable',
    'The photo cannot be decoded here; save it anew as JPEG or PNG.',
    {
      cause: error,
    },
  );
}

function publishLimits({ accounts, designs, rendering }: Config): PublishedLimits {
  return {
    image: designs.limits,
    ratePerSecond: accounts.limits.ratePerSecond,
    rateBurst: accounts.limits.rateBurst,
    urlFetchTimeoutMs: designs.fetch.totalTimeoutMs,
    urlFetchRedirects: designs.fetch.maxRedirects,
    deadlineMs: rendering.deadlineMs,
    retentionMs: designs.retentionMs,
  };
}

/** Cutouts are joined by many and outlive whoever asked first. */
const never = new AbortController().signal;

async function ensureFirstKey(
  accounts: ReturnType<typeof createAccountStore>,
  bootstrapApiKey: string | undefined,
): Promise<string | undefined> {
  if (bootstrapApiKey !== undefined) {
    await accounts.ensureKey(bootstrapApiKey, 'bootstrap');
    return undefined;
  }
  if (await accounts.hasKeys()) return undefined;
  const { secret } = await accounts.createKey({
    name: 'first',
    scopes: ['upload', 'suggest', 'render', 'admin'],
    expiresAt: null,
  });
  return secret;
}
