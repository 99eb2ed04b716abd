/**
 * The composition root: opens stores and engines, connects all parts of the service, and returns the service. The
 * server and the tests use it.
 */
import { createAccountStore } from './accounts/account-store.ts';
import { createAuthenticator, rateOf } from './accounts/authenticate.ts';
import { createRenderCharger } from './accounts/charge-render.ts';
import { createCreditStore } from './accounts/credit-store.ts';
import { createIdempotencyStore } from './accounts/idempotency-store.ts';
import { createSharedRates } from './accounts/shared-rates.ts';
import { createUsageStore } from './accounts/usage-store.ts';
import type { Config } from './config.ts';
import { createDesignStore } from './designs/design-store.ts';
import type { PublishedLimits, ServerDependencies } from './http/dependencies.ts';
import { createAnswerOnce } from './http/idempotency.ts';
import { openMetricsPort } from './http/routes/metrics.ts';
import { mayOfferKey } from './http/routes/studio-page.ts';
import { createProbeServer, createServer } from './http/server.ts';
import { openIllustrationEngine } from './illustrations/engines/registry.ts';
import { illustrationSecret } from './illustrations/illustration-uri.ts';
import { createDeadJobStore } from './jobs/dead-jobs.ts';
import { pictureSecret } from './picture-urls/url-signer.ts';
import { createAccountShare } from './storage/account-share.ts';
import { openSecrets } from './storage/secret-store.ts';
import { correctStoredBytes } from './storage/stored-bytes.ts';
import { operatorAccount } from './tasks.ts';
import { startBackground } from './wiring/background.ts';
import { buildEvents } from './wiring/events.ts';
import { openInfrastructure } from './wiring/infrastructure.ts';
import { buildMonitoring } from './wiring/monitoring.ts';
import { closePools, type Pools } from './wiring/pools.ts';
import { openRembgPort } from './wiring/rembg-port.ts';
import { callElsewhere } from './wiring/remote-tasks.ts';
import { createReports } from './wiring/reports.ts';
import { buildServices } from './wiring/services.ts';

/** Time that running jobs get at shutdown. A longer cutout is interrupted, and the next process starts it again. */
const jobsGraceMs = 5_000;
const clock = Date.now;

export interface App {
  /** Resolves when the removal engine is warmed up; rejects when the engine cannot be opened. */
  readonly ready: Promise<void>;
  /** The secret of the first API key, if this start created that key. */
  readonly firstKey: string | undefined;
  /** Base URL without a trailing slash, once listening. */
  listen(): Promise<string>;
  /** Base URL of the port for clients of rembg, once listening; undefined if there is none. */
  rembgUrl(): string | undefined;
  /** Stops accepting calls, finishes running work, closes everything. Idempotent. */
  close(): Promise<void>;
}

/** `pools` are opened here if they are not open yet. They stay open if the service cannot be built. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export async function buildApp(config: Config, pools?: Pools): Promise<App> {
  const reports = createReports();
  const { reportError } = reports;
  // Opened first: if the engine's settings are wrong, nothing else is open yet that would have to be closed.
  const { engine } = config.scenes.painting;
  // Without one, the embedded studio renders all scenes.
  const illustrationEngine = engine && (await openIllustrationEngine(engine));
  const infrastructure = await openInfrastructure(config, reportError, pools);
  const { kind, database, queue, notices, storage, storedBytes, evictor } = infrastructure;
  const { cutting } = infrastructure.pools;
  const accounts = createAccountStore(database, clock);
  let firstKey: FirstKey | undefined;
  if (config.role !== 'worker') {
    // If several processes start at once, only one of them creates the key.
    await infrastructure.tryAlone('first key', async () => {
      firstKey = await ensureFirstKey(accounts, config.accounts.bootstrapApiKey);
    });
  }
  const idempotency = createIdempotencyStore(database, { clock, longestCallMs: longestCallOf(config) });
  const credits = createCreditStore(database, clock);
  const usage = createUsageStore(database, clock);
  if (kind === 'sqlite') {
    // No other process uses this database, so open claims must be left over from a crash.
    await idempotency.sweepAnswers({ atStart: true });
    await credits.sweepCharges({ atStart: true });
  }
  const sharedRates =
    kind === 'postgres' ? createSharedRates(database, rateOf(config.accounts.limits)) : undefined;
  const [secrets, pictureSecrets] = await Promise.all(
    [illustrationSecret, pictureSecret].map((name) =>
      openSecrets(database, name, { clock, onError: (error) => reportError(error, 'secrets') }),
    ),
  );
  const share = createAccountShare({
    database,
    storedBytes,
    limitBytes: config.storage.accountBytes,
    measureFreeBytes: async () => (await storage.measureSpace())?.freeBytes,
  });
  async function admitUpload(accountId: string): Promise<void> {
    await (evictor?.admitUpload(storage.admitUpload) ?? storage.admitUpload());
    await share.admit(accountId);
  }
  const noteUpload = (keyId: string) => usage.noteUpload(keyId).catch((error) => reportError(error, 'usage'));
  const chargeRender = createRenderCharger({ credits, onError: (error) => reportError(error, 'credits') });

  const events = buildEvents(config, { database, queue, notices, ...reports });
  const designs = createDesignStore(database, {
    clock,
    retentionMs: config.designs.retentionMs,
    onSettled: events.teller.tellDesign,
  });
  const state = { warm: cutting === undefined, stopping: false };
  const { metrics, findObstacles } = buildMonitoring(config, {
    ...infrastructure,
    designs,
    state,
    engine: illustrationEngine?.id,
  });
  const services = buildServices(config, {
    infrastructure,
    reports,
    events,
    metrics,
    designs,
    accounts,
    credits,
    chargeRender,
    noteUpload,
    admitUpload,
    onCounted: (prefix, bytes) => correctStoredBytes(database, prefix, bytes),
    secrets: secrets!,
    pictureSecrets: pictureSecrets!,
    illustrationEngine,
    elsewhere: config.role === 'api' ? callElsewhere(infrastructure.remoteCalls, config) : undefined,
  });

  const makePageKey = async () => {
    const { accountId } = firstKey!;
    const scopes = ['upload', 'suggest', 'render'] as const;
    return (await accounts.createKey({ name: 'studio', accountId, scopes, expiresAt: null })).secret;
  };
  const options = {
    ...config.server,
    makePageKey: firstKey && mayOfferKey(config.server) ? makePageKey : undefined,
  };
  const dependencies: ServerDependencies = {
    ...services,
    designs,
    answerOnce: createAnswerOnce(idempotency, services.uploadPlaces),
    async isKeyValid(keyId) {
      const key = await accounts.findKey(keyId);
      return key !== undefined && !key.revokedAt && !(key.expiresAt && key.expiresAt.getTime() <= clock());
    },
    authenticate: createAuthenticator(accounts, config.accounts.limits, clock, sharedRates),
    credits,
    chargeRender,
    progress: events.progress,
    noteUpload,
    metrics,
    findObstacles,
    publicUrl: config.server.publicUrl,
    published: publishLimits(config),
  };
  const server =
    config.role === 'worker'
      ? await createProbeServer({ metrics, findObstacles }, options)
      : await createServer(dependencies, options);
  const rembgPort =
    config.role === 'worker'
      ? undefined
      : await openRembgPort(config, { dependencies, accounts, clock, sharedRates, options });
  reports.useLog(server.log);
  const background =
    config.role === 'api'
      ? undefined
      : startBackground(config, {
          infrastructure,
          services,
          events,
          idempotency,
          credits,
          usage,
          sharedRates,
          deadJobs: createDeadJobStore(database, clock),
          reportError,
        });

  const ready = warmUp();
  // Avoid an unhandledRejection; callers await `ready`.
  ready.catch(() => undefined);

  async function warmUp(): Promise<void> {
    const engine = await cutting?.tasks.warmUp(null, {
      signal: never,
      urgency: 'upload',
      account: operatorAccount,
    });
    state.warm = true;
    if (engine) server.log.info({ engine: engine.id, version: engine.version }, 'removal engine ready');
  }

  async function shutDown(): Promise<void> {
    state.stopping = true;
    metricsPort?.close().closeAllConnections();
    await Promise.all([server.close(), rembgPort?.close()]);
    const jobsDone = queue.close({ graceMs: jobsGraceMs });
    background?.stop();
    await jobsDone;
    services.batches.close();
    secrets!.close();
    pictureSecrets!.close();
    events.deliverer.close();
    await Promise.all([services.close(), closePools(infrastructure.pools)]);
    await storedBytes.close().catch((error) => reportError(error, 'stored bytes'));
    await infrastructure.close();
    infrastructure.lock.release();
  }

  let metricsPort: Awaited<ReturnType<typeof openMetricsPort>> | undefined;
  let closed: Promise<void> | undefined;
  return {
    ready,
    firstKey: firstKey?.secret,
    async listen() {
      if (config.monitoring.metrics) metricsPort = await openMetricsPort(metrics, config.monitoring.metrics);
      await rembgPort?.listen();
      return server.listen({ host: config.server.host, port: config.server.port });
    },
    rembgUrl: () => rembgPort?.url(),
    close: () => {
      closed ??= shutDown();
      return closed;
    },
  };
}

function publishLimits({
  server,
  requests,
  accounts,
  designs,
  cutout,
  batches,
  looks,
  rendering,
}: Config): PublishedLimits {
  return {
    image: designs.limits,
    upload: {
      ...designs.uploadRate,
      timeoutMs: server.requestTimeoutMs,
      inMemory: designs.uploads.maxPerAccount,
    },
    requests,
    looks: looks.maxPerAccount,
    batchFormBytes: batches.maxFormBytes,
    waiting: {
      cutouts: cutout.maxWaiting,
      renders: rendering.maxWaiting,
      batchItems: batches.maxWaitingItems,
    },
    rate: { perSecond: accounts.limits.ratePerSecond, burst: accounts.limits.rateBurst },
    inFlight: accounts.inFlight,
    urlFetchTimeoutMs: designs.fetch.totalTimeoutMs,
    urlFetchRedirects: designs.fetch.maxRedirects,
    deadlineMs: rendering.deadlineMs,
    dialectDeadlinesMs: rendering.dialectDeadlinesMs,
    retentionMs: designs.retentionMs,
  };
}

/**
 * The longest time that a call may take, in milliseconds: the sum of the configured limits of its consecutive waits,
 * plus a minute for waits without a configured limit.
 */
function longestCallOf({ server, designs, rendering: { deadlineMs, dialectDeadlinesMs } }: Config): number {
  const deadlines = [...Object.values(deadlineMs), ...Object.values(dialectDeadlinesMs)];
  const work = Math.max(designs.fetch.totalTimeoutMs, ...deadlines);
  return server.requestTimeoutMs + work + 60_000;
}

const never = new AbortController().signal;

interface FirstKey {
  readonly secret: string;
  readonly accountId: string;
}

async function ensureFirstKey(
  accounts: ReturnType<typeof createAccountStore>,
  bootstrapApiKey: string | undefined,
): Promise<FirstKey | undefined> {
  if (bootstrapApiKey !== undefined) {
    await accounts.ensureKey(bootstrapApiKey, 'bootstrap');
    return undefined;
  }
  if (await accounts.hasKeys()) return undefined;
  const { secret, key } = await accounts.createKey({
    name: 'first',
    scopes: ['upload', 'suggest', 'render', 'admin'],
    expiresAt: null,
  });
  return { secret, accountId: key.accountId };
}
