/**
 * The composition root: opens stores and engines, connects all parts of the service, and returns the service. The
 * server and the tests use it.
 */
import type { AddressInfo } from 'node:net';
import type { AccountStore } from './accounts/account-store.ts';
import { authenticateAs, createAuthenticator } from './accounts/authenticate.ts';
import { createPhoneKeys } from './accounts/phone-keys.ts';
import { type Config, publishLimits } from './config.ts';
import type { ServerDependencies } from './http/dependencies.ts';
import { createAnswerOnce } from './http/idempotency.ts';
import { openMetricsPort } from './http/routes/metrics.ts';
import { phoneUrls } from './http/routes/phone-keys.ts';
import { mayOfferKey } from './http/routes/studio-page.ts';
import { createProbeServer, createRembgServer, createServer, type ServerOptions } from './http/server.ts';
import { operatorAccount } from './tasks.ts';
import { startBackground } from './wiring/background.ts';
import { type Foundation, openFoundation } from './wiring/foundation.ts';
import { buildServices } from './wiring/services.ts';
import { closePools, type Pools } from './workers/pools.ts';

/** Time that running jobs get at shutdown. A longer cutout is interrupted, and the next process starts it again. */
const jobsGraceMs = 5_000;

export interface App {
  /** Resolves when the removal engine is warmed up; rejects when the engine cannot be opened. */
  readonly ready: Promise<void>;
  /** The secret of the first API key, if this start created that key. */
  readonly firstKey: string | undefined;
  /**
   * A one-time link that lets a phone in, at each address of the service, once listening; none if no phone can reach it,
   * and undefined unless the operator wants links.
   */
  phoneLinks(): string[] | undefined;
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
  const foundation = await openFoundation(config, pools);
  const { accounts, clock, cutting, metrics, findObstacles, reports, sharedRates, state } = foundation;
  let firstKey: FirstKey | undefined;
  if (config.role !== 'worker') {
    // If several processes start at once, only one of them creates the key.
    await foundation.tryAlone('first key', async () => {
      firstKey = await ensureFirstKey(accounts, config.accounts.bootstrapApiKey);
    });
  }
  if (foundation.kind === 'sqlite') {
    // No other process uses this database, so open claims must be left over from a crash.
    await foundation.idempotency.sweepAnswers({ atStart: true });
    await foundation.credits.sweepCharges({ atStart: true });
  }
  const services = buildServices(foundation);

  const makePageKey = async () => {
    const { accountId } = firstKey!;
    const scopes = ['upload', 'suggest', 'render'] as const;
    return (await accounts.createKey({ name: 'studio', accountId, scopes, expiresAt: null })).secret;
  };
  const phoneKeys = config.server.letsPhonesIn
    ? createPhoneKeys({ accounts, clock, credits: foundation.credits })
    : undefined;
  const options = {
    ...config.server,
    makePageKey: firstKey && mayOfferKey(config.server) ? makePageKey : undefined,
  };
  const dependencies: ServerDependencies = {
    ...foundation,
    ...services,
    phoneKeys,
    answerOnce: createAnswerOnce(foundation.idempotency, services.uploadPlaces),
    async isKeyValid(keyId) {
      const key = await accounts.findKey(keyId);
      return key !== undefined && !key.revokedAt && !(key.expiresAt && key.expiresAt.getTime() <= clock());
    },
    authenticate: createAuthenticator(accounts, config.accounts.limits, clock, sharedRates),
    publicUrl: config.server.publicUrl,
    published: publishLimits(config),
  };
  const server =
    config.role === 'worker'
      ? await createProbeServer({ metrics, findObstacles }, options)
      : await createServer(dependencies, options);
  const rembgPort =
    config.role === 'worker' ? undefined : await openRembgPort(foundation, dependencies, options);
  reports.useLog(server.log);
  const background = config.role === 'api' ? undefined : startBackground(foundation, services);

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
    const jobsDone = foundation.queue.close({ graceMs: jobsGraceMs });
    background?.stop();
    await jobsDone;
    services.batches.close();
    foundation.secrets.close();
    foundation.pictureSecrets.close();
    foundation.deliverer.close();
    await Promise.all([services.close(), closePools(foundation)]);
    await foundation.storedBytes.close().catch(reports.reportTo('stored bytes'));
    await foundation.close();
    foundation.lock.release();
  }

  let metricsPort: Awaited<ReturnType<typeof openMetricsPort>> | undefined;
  let closed: Promise<void> | undefined;
  return {
    ready,
    firstKey: firstKey?.secret,
    phoneLinks: () =>
      phoneKeys &&
      phoneUrls(
        phoneKeys.makeFirstLink().token,
        config.server.publicUrl,
        server.server.address() as AddressInfo,
      ),
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

/** The port that serves clients of rembg without a key. Undefined if not configured. */
async function openRembgPort(
  { config, accounts, clock, sharedRates }: Foundation,
  dependencies: ServerDependencies,
  options: ServerOptions,
) {
  const { rembg } = config.dialects;
  if (!rembg) return undefined;
  const { id } = await accounts.ensureKeylessKey({ name: 'rembg', scopes: ['upload', 'render'] });
  const authenticate = authenticateAs(id, accounts, config.accounts.limits, clock, sharedRates);
  const server = await createRembgServer({ ...dependencies, authenticate }, options);
  return {
    listen: () => server.listen(rembg),
    url(): string | undefined {
      const address = server.server.address() as AddressInfo | null;
      if (!address) return undefined;
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return `http://${host}:${address.port}`;
    },
    close: () => server.close(),
  };
}

const never = new AbortController().signal;

interface FirstKey {
  readonly secret: string;
  readonly accountId: string;
}

async function ensureFirstKey(
  accounts: AccountStore,
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
