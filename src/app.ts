/** The composition root: opens stores and engines, wires conductors, returns the service. Server and tests use it alike. */
import { createAccountStore } from './accounts/account-store.ts';
import { createAuthenticator } from './accounts/authenticate.ts';
import { createIdempotencyStore } from './accounts/idempotency-store.ts';
import type { Config } from './config.ts';
import { PackshotError } from './errors.ts';
import { createAnswerOnce } from './http/answer-once.ts';
import type { PublishedLimits } from './http/rooms.ts';
import { createServer } from './http/server.ts';
import { openEmbeddedQueue } from './jobs/embedded.ts';
import { openIllustrationEngine } from './scenes/engines/registry.ts';
import type { StepTiming } from './step-clock.ts';
import { openFsBlobStore } from './storage/blobs/fs.ts';
import { openDatabase, pingDatabase } from './storage/database.ts';
import { lockDataDir } from './storage/lock-data-dir.ts';
import { ensureSecret } from './storage/secret-store.ts';
import { wireConductors } from './wiring.ts';
import { openCutoutPool, openImagingPool } from './workers/pools.ts';

const sweepEveryMs = 3_600_000;
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
  const idempotency = createIdempotencyStore(database, clock);
  const queue = openEmbeddedQueue(database, { clock, onError: (error) => reportError(error, 'queue') });
  const pools = openPools(config);
  const secret = await ensureSecret(database, 'illustration-uris', clock);
  const { engine: engineConfig } = config.scenes.painting;
  const illustrationEngine = engineConfig && (await openIllustrationEngine(engineConfig));
  const conductors = wireConductors(config, {
    database,
    blobs,
    queue,
    pools,
    secret,
    illustrationEngine,
    reportError,
    reportCut,
    reportPainting,
  });

  const state = { warm: false, stopping: false };
  const server = await createServer(
    {
      ...conductors,
      answerOnce: createAnswerOnce(idempotency),
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
  function reportPainting(facts: object): void {
    server.log.info(facts, 'painting');
  }
  function reportCut(design: string, steps: readonly StepTiming[]): void {
    server.log.info({ design, steps }, 'cutout');
  }

  const sweep = () => {
    for (const sweeping of [
      conductors.eraser.sweepDesigns(),
      conductors.backdrops.sweepBackdrops(),
      idempotency.sweepAnswers(),
    ]) {
      sweeping.catch((error) => reportError(error, 'sweeper'));
    }
  };
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  sweep();
  conductors.cutouts.work();
  conductors.painter?.work();
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
    await Promise.all([
      conductors.closeScenes(),
      conductors.fetcher.close(),
      pools.imaging.close(),
      pools.cutting.close(),
    ]);
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

function publishLimits({ accounts, designs, rendering }: Config): PublishedLimits {
  return {
    image: designs.limits,
    ratePerSecond: accounts.limits.ratePerSecond,
    rateBurst: accounts.limits.rateBurst,
    inFlight: accounts.inFlight,
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
