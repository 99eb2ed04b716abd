/** The composition root: opens stores and engines, wires conductors, returns the service. Server and tests use it alike. */
import { createAccountStore } from './accounts/account-store.ts';
import { createAuthenticator } from './accounts/authenticate.ts';
import { createRenderCharger } from './accounts/charge-render.ts';
import { createCreditStore } from './accounts/credit-store.ts';
import { createIdempotencyStore } from './accounts/idempotency-store.ts';
import { createUsageStore } from './accounts/usage-store.ts';
import type { Config } from './config.ts';
import { PackshotError } from './errors.ts';
import { createAnswerOnce } from './http/answer-once.ts';
import { openMetricsPort } from './http/metrics.ts';
import type { PublishedLimits } from './http/rooms.ts';
import { createServer } from './http/server.ts';
import { openEmbeddedQueue } from './jobs/embedded.ts';
import type { StepTiming } from './step-clock.ts';
import { openFsBlobStore } from './storage/blobs/fs.ts';
import { openDatabase } from './storage/database.ts';
import { lockDataDir } from './storage/lock-data-dir.ts';
import { ensureSecret } from './storage/secret-store.ts';
import { watchStorage } from './storage/storage-watch.ts';
import { wireConductors } from './wiring/conductors.ts';
import { wireBatches, wireEvents } from './wiring/events.ts';
import { openPainter } from './wiring/painter.ts';
import { wireSight } from './wiring/sight.ts';
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
  // First of all, since its settings may be wrong: what is opened after it need not be closed again.
  const illustrationEngine = await openPainter(config.scenes.painting.engine);
  const lock = lockDataDir(dataDir);
  if (!lock) throw new PackshotError('storage_unavailable', 'Another Packshot is serving this data folder.');
  const database = await openDatabase(dataDir);
  const blobs = await openFsBlobStore(dataDir);
  const accounts = createAccountStore(database, clock);
  const firstKey = await ensureFirstKey(accounts, config.accounts.bootstrapApiKey);
  const idempotency = createIdempotencyStore(database, { clock, longestCallMs: longestCallOf(config) });
  await idempotency.sweepAnswers({ atStart: true });
  const credits = createCreditStore(database, clock);
  await credits.sweepCharges({ atStart: true });
  const usage = createUsageStore(database, clock);
  const storage = watchStorage(dataDir, config.storage);
  const queue = openEmbeddedQueue(database, { clock, onError: (error) => reportError(error, 'queue') });
  const pools = openPools(config);
  const secret = await ensureSecret(database, 'illustration-uris', clock);
  const events = wireEvents(config, { database, queue, reportError, reportDelivery });
  const conductors = wireConductors(config, {
    database,
    blobs,
    queue,
    pools,
    credits,
    admitUpload: storage.admitUpload,
    secret,
    illustrationEngine,
    reportError,
    reportCut,
    reportPainting,
    reportUnanswered,
    onEngineCall: (call) => metrics.observeEngineCall(call),
    events,
  });
  const chargeRender = createRenderCharger({ credits, onError: (error) => reportError(error, 'credits') });
  const noteUpload = (keyId: string) => usage.noteUpload(keyId).catch((error) => reportError(error, 'usage'));
  const batches = wireBatches(config, {
    ...conductors.last,
    database,
    blobs,
    queue,
    teller: events.teller,
    fetcher: conductors.fetcher,
    accounts,
    noteUpload,
    chargeRender,
    reportError,
  });

  const state = { warm: false, stopping: false };
  const { metrics, findObstacles } = wireSight(config, {
    database,
    designs: conductors.designs,
    queue,
    storage,
    pools,
    state,
  });
  const server = await createServer(
    {
      ...conductors,
      answerOnce: createAnswerOnce(idempotency),
      authenticate: createAuthenticator(accounts, config.accounts.limits, clock),
      credits,
      chargeRender,
      batches,
      progress: events.progress,
      noteUpload,
      metrics,
      findObstacles,
      publicUrl: config.server.publicUrl,
      published: publishLimits(config),
    },
    { ...config.server, firstKey },
  );
  function reportError(error: unknown, where: string): void {
    server.log.error({ err: error, where }, 'background work failed');
  }
  function reportDelivery(facts: object): void {
    server.log.info(facts, 'webhook');
  }
  function reportPainting(facts: object): void {
    server.log.info(facts, 'painting');
  }
  function reportUnanswered(facts: object): void {
    server.log.warn(facts, 'the language model was not heard');
  }
  function reportCut(design: string, steps: readonly StepTiming[]): void {
    server.log.info({ design, steps }, 'cutout');
    metrics.observeCutout(steps);
  }

  const sweep = () => {
    for (const sweeping of [
      conductors.eraser.sweepDesigns(),
      conductors.backdrops.sweepBackdrops(),
      batches.sweepBatches(),
      events.sweepEvents(),
      idempotency.sweepAnswers({ atStart: false }),
      credits.sweepCharges({ atStart: false }),
      usage.sweepEngineCalls(),
    ]) {
      sweeping.catch((error) => reportError(error, 'sweeper'));
    }
  };
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  sweep();
  conductors.cutouts.work();
  conductors.painter?.work();
  batches.work();
  events.deliverer.work();
  const ready = pools.cutting.run('warmUp', null, { signal: never, priority: 1 }).then((engine) => {
    state.warm = true;
    server.log.info({ engine: engine.id, version: engine.version }, 'removal engine ready');
  });
  // Whoever awaits it hears of a failure; here it must only not count as unheard.
  ready.catch(() => undefined);

  async function shutDown(): Promise<void> {
    state.stopping = true;
    clearInterval(sweeping);
    metricsPort?.close().closeAllConnections();
    await server.close();
    await queue.close({ graceMs: cutoutGraceMs });
    batches.close();
    events.deliverer.close();
    await Promise.all([
      conductors.closeScenes(),
      conductors.fetcher.close(),
      pools.imaging.close(),
      pools.cutting.close(),
    ]);
    await database.destroy();
    lock!.release();
  }

  let metricsPort: Awaited<ReturnType<typeof openMetricsPort>> | undefined;
  let closed: Promise<void> | undefined;
  return {
    ready,
    firstKey,
    async listen() {
      if (config.sight.metrics) metricsPort = await openMetricsPort(metrics, config.sight.metrics);
      return server.listen({ host: config.server.host, port: config.server.port });
    },
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

/** In milliseconds: what a call may wait for one after the other, and a minute for waits that no setting limits. */
function longestCallOf({ server, designs, rendering: { deadlineMs } }: Config): number {
  const work = Math.max(designs.fetch.totalTimeoutMs, deadlineMs.preview, deadlineMs.generated);
  return server.requestTimeoutMs + work + 60_000;
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
