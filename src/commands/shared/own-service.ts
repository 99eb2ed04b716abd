/** A temporary service for one command: on loopback, with its own folder and key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { createAccountStore } from '../../accounts/account-store.ts';
import { createPresetStore } from '../../accounts/preset-store.ts';
import type { Config } from '../../config.ts';
import type { Preset } from '../../recipes/presets.ts';
import { type DatabaseConfig, inspectDatabase, withDatabase } from '../../storage/database.ts';
import { openApp } from './open-app.ts';
import { describeService, type Service } from './service-client.ts';

/**
 * Time limit of a preview, and of the wait for a painted picture; full versions and calls may take twice as long. It is
 * long, because the only caller is the user, who can stop the command.
 */
const patienceMs = 900_000;
const clock = Date.now;

interface Options {
  /** A preset that the service's key may use in addition to the built-in one. */
  readonly preset?: Preset | undefined;
  readonly logLevel?: Config['server']['logLevel'];
  /** `api`: loads no removal engine, for commands that cut nothing out. Default: `all`. */
  readonly role?: 'all' | 'api';
}

export async function openOwnService(config: Config, options: Options = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-'));
  try {
    const key = await prepare(dataDir, options.preset);
    const app = await openApp(forOneCommand(config, dataDir, options));
    const close = async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    };
    try {
      const baseUrl = await app.listen();
      await app.ready;
      const client = createPackshotClient({ baseUrl, apiKey: key, timeoutMs: patienceMs * 2 });
      return { ...(await describeService(client)), calls: config.rendering.workers, close };
    } catch (error) {
      await app.close();
      throw error;
    }
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** The service that the command line names; otherwise a temporary one, which `onOpen` announces. */
export async function openService(
  named: Service | undefined,
  config: Config,
  { onOpen, ...options }: Options & { readonly onOpen: (words: string) => void },
): Promise<Service> {
  if (named) return named;
  onOpen(`Loading the removal engine ${config.cutout.engine.engine}`);
  return openOwnService(config, options);
}

async function prepare(dataDir: string, preset: Preset | undefined): Promise<string> {
  return withDatabase({ kind: 'sqlite', dataDir }, async ({ database }) => {
    const { key, secret } = await createAccountStore(database, clock).createKey({
      name: 'command',
      scopes: ['upload', 'suggest', 'render'],
      expiresAt: null,
    });
    if (preset) {
      const presets = createPresetStore(database, clock);
      await presets.savePresets([preset], { replace: false });
      await presets.grantPreset(preset.name, key.id);
    }
    return secret;
  });
}

/** Adapts the configuration to one command: local stores, long deadlines, and none of a service's limits of use. */
function forOneCommand(
  config: Config,
  dataDir: string,
  { logLevel = 'silent', role = 'all' }: Options,
): Config {
  const unlimited = 100_000;
  return {
    ...config,
    server: { ...config.server, host: '127.0.0.1', port: 0, publicUrl: undefined, logLevel },
    role,
    storage: {
      ...config.storage,
      dataDir,
      database: { kind: 'sqlite', dataDir },
      blobs: { kind: 'fs', dataDir },
      minFreeBytes: 0,
      budgetBytes: undefined,
      accountBytes: 0,
    },
    monitoring: { ...config.monitoring, metrics: undefined },
    dialects: { ...config.dialects, rembg: undefined },
    accounts: {
      ...config.accounts,
      bootstrapApiKey: undefined,
      inFlight: unlimited,
      limits: { ...config.accounts.limits, ratePerSecond: unlimited, rateBurst: unlimited },
    },
    cutout: { ...config.cutout, maxWaiting: unlimited },
    scenes: {
      ...config.scenes,
      drawAhead: 'off',
      painting: { ...config.scenes.painting, when: 'chosen', patienceMs },
    },
    rendering: {
      ...config.rendering,
      maxWaiting: unlimited,
      deadlineMs: { preview: patienceMs, generated: patienceMs * 2 },
    },
  };
}

/** Reads a preset from the configured database, which a running service may be using. */
export async function findKeptPreset(config: DatabaseConfig, name: string): Promise<Preset | undefined> {
  if ((await inspectDatabase(config)) === undefined) return undefined;
  return withDatabase(config, ({ database }) => createPresetStore(database, clock).findPreset(name));
}
