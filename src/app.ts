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
import { createServer } from './http/server.ts';
import { openEmbeddedQueue } from './jobs/embedded.ts';
import { createDesignRenderer } from './rendering/render-design.ts';
import { openFsBlobStore } from './storage/blobs/fs.ts';
import { openDatabase, pingDatabase } from './storage/database.ts';
import { lockDataDir } from './storage/lock-data-dir.ts';
import { openCutoutPool, openImagingPool } from './workers/pools.ts';

/** Order of work in the imaging processes: who waits for an id, then who looks at a preview, then the rest. */
const priority = { inspect: 3, preview: 2, generated: 1 } as const;
const sweepEveryMs = 3_600_000;
const shutdownGraceMs = 30_000;

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
  const clock = Date.now;
  const { dataDir } = config.storage;
  const lock = lockDataDir(dataDir);
  if (!lock) throw new PackshotError('storage_unavailable', 'Another Packshot is serving this data folder.');

  const database = await openDatabase(dataDir);
  const blobs = await openFsBlobStore(dataDir);
  const accounts = createAccountStore(database, clock);
  const firstKey = await ensureFirstKey(accounts, config.accounts.bootstrapApiKey);
  const queue = openEmbeddedQueue(database, { clock, onError: (error) => logError(error, 'queue') });

  const imaging = openImagingPool({
    size: config.rendering.workers,
    maxWaiting: config.rendering.maxWaiting,
  });
  const cutting = openCutoutPool({ engine: config.cutout.engine, limits: config.designs.limits });

  const designs = createDesignStore(database, { clock, retentionMs: config.designs.retentionMs });
  const eraser = createDesignEraser({ designs, blobs, clock });
  const fetcher = createImageFetcher(config.designs.fetch);
  const creator = createDesignCreator({
    database,
    designs,
    blobs,
    queue,
    inspect: (bytes, signal) =>
      imaging.run(
        'inspectImage',
        { bytes, limits: config.designs.limits },
        { signal, priority: priority.inspect },
      ),
    maxWaitingCutouts: config.cutout.maxWaiting,
  });
  const cutouts = createCutoutMaker({
    designs,
    blobs,
    queue,
    cut: (bytes) => cutting.run('cutSubject', { bytes }, { signal: never, priority: 0 }),
    encodeWebp: (cutoutPng, signal) =>
      imaging.run('encodeWebp', { cutoutPng }, { signal, priority: priority.generated }),
    onCut: (id, timings) => server.log.info({ design: id, steps: timings }, 'cutout'),
  });
  const renderDesign = createDesignRenderer({
    designs,
    cutouts,
    draw: (input, signal) =>
      imaging.run('drawPicture', input, { signal, priority: priority[input.target.name] }),
    deadlineMs: config.rendering.deadlineMs,
  });

  let warm = false;
  let closed: Promise<void> | undefined;
  const server = await createServer(
    {
      authenticate: createAuthenticator(accounts, config.accounts.limits, clock),
      creator,
      designs,
      eraser,
      cutouts,
      fetcher,
      renderDesign,
      findObstacles: async () => [
        ...(closed ? ['the service is stopping'] : []),
        ...(warm ? [] : ['the removal engine is warming up']),
        ...((await pingDatabase(database)) ? [] : ['the database does not answer']),
      ],
      published: {
        image: config.designs.limits,
        ratePerSecond: config.accounts.limits.ratePerSecond,
        rateBurst: config.accounts.limits.rateBurst,
        urlFetchTimeoutMs: config.designs.fetch.totalTimeoutMs,
        urlFetchRedirects: config.designs.fetch.maxRedirects,
        deadlineMs: config.rendering.deadlineMs,
        retentionMs: config.designs.retentionMs,
      },
    },
    config.server,
  );
  const logError = (error: unknown, where: string) =>
    server.log.error({ err: error, where }, 'background work failed');

  const sweep = () => void eraser.sweepDesigns().catch((error) => logError(error, 'sweeper'));
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  sweep();
  cutouts.work();
  const ready = cutting.run('warmUp', null, { signal: never, priority: 1 }).then(({ id, version }) => {
    warm = true;
    server.log.info({ engine: id, version }, 'removal engine ready');
  });
  ready.catch((error) => logError(error, 'removal engine'));

  async function shutDown(): Promise<void> {
    clearInterval(sweeping);
    await server.close();
    await queue.close({ graceMs: shutdownGraceMs });
    await Promise.all([fetcher.close(), imaging.close(), cutting.close()]);
    await database.destroy();
    lock!.release();
  }

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
