/**
 * Reads the configuration from environment variables. Joins the parts of `config/` into one schema, and returns the
 * values in sections. Most sections are named after the folder that uses them.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { fixedLimits, limitSettings } from './config/limits.ts';
import { chooseRemoval, removalSettings } from './config/removal.ts';
import { chooseScenes, sceneSettings } from './config/scenes.ts';
import { chooseRenderWorkers, chooseServer, serverSettings } from './config/server.ts';
import { ConfigError } from './config/setting.ts';
import { chooseStorage, storageSettings } from './config/storage.ts';

/** Every environment variable of Packshot; `docs/configuration.md` is generated from this schema. */
export const environmentSchema = z.object({
  ...serverSettings,
  ...limitSettings,
  ...removalSettings,
  ...sceneSettings,
  ...storageSettings,
});

/** Throws `ConfigError` with one line per invalid variable. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(`The configuration is invalid:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const day = 86_400_000;
  return {
    ...chooseServer(env),
    requests: {
      jsonBytes: fixedLimits.jsonBytes,
      batchBytes: fixedLimits.batchJsonBytes,
      batchItems: fixedLimits.batchItems,
      promptChars: fixedLimits.promptChars,
    },
    role: env.ROLE,
    storage: { dataDir, minFreeBytes: env.MIN_FREE_BYTES, ...chooseStorage(env, dataDir) },
    accounts: {
      bootstrapApiKey: env.BOOTSTRAP_API_KEY,
      inFlight: env.MAX_IN_FLIGHT,
      limits: {
        ratePerSecond: env.RATE_PER_SECOND,
        rateBurst: env.RATE_BURST,
        ratePatienceS: env.RATE_PATIENCE_MS / 1_000,
        wrongKeysPerMinute: 20,
      },
    },
    designs: {
      limits: {
        maxBytes: env.MAX_FILE_BYTES,
        maxPixels: Math.round(env.MAX_MEGAPIXELS * 1e6),
        maxAvifPixels: Math.round(Math.min(fixedLimits.avifPixels, env.MAX_MEGAPIXELS * 1e6)),
        minSidePx: fixedLimits.minSidePx,
        maxSidePx: fixedLimits.maxSidePx,
      },
      readsHeic: env.READ_HEIC === 'true',
      uploads: {
        places: fixedLimits.uploadsInMemory,
        maxPerAccount: fixedLimits.uploadsInMemory / 2,
      },
      uploadRate: fixedLimits.uploadRate,
      retentionMs: env.RETENTION_DAYS === 0 ? null : env.RETENTION_DAYS * day,
      sourceHosts: env.SOURCE_HOSTS,
      fetch: {
        allow: env.URL_ALLOW,
        userAgent: env.FETCH_USER_AGENT,
        ports: [80, 443],
        ...fixedLimits.urlFetch,
        maxBytes: env.MAX_FILE_BYTES,
      },
    },
    cutout: { ...chooseRemoval(env, dataDir), maxWaiting: env.MAX_WAITING_CUTOUTS },
    scenes: chooseScenes(env),
    looks: { maxPerAccount: fixedLimits.looks },
    events: { allow: env.WEBHOOK_ALLOW },
    batches: { maxWaitingItems: env.MAX_WAITING_BATCH_ITEMS, maxFormBytes: env.MAX_BATCH_BYTES },
    rendering: {
      workers: env.RENDER_WORKERS ?? chooseRenderWorkers(env.REMOVAL_MEMORY),
      maxWaiting: env.MAX_WAITING_RENDERS,
      deadlineMs: { preview: env.PREVIEW_DEADLINE_MS, generated: env.FULL_DEADLINE_MS },
      dialectDeadlinesMs: {
        removebg: Math.min(fixedLimits.removebgDeadlineMs, env.FULL_DEADLINE_MS),
        rembg: fixedLimits.rembgDeadlineMs,
        photoroom: env.FULL_DEADLINE_MS,
      },
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;

/** The limits that the service enforces and `GET /v1/limits` publishes. */
export function publishLimits({
  server,
  requests,
  accounts,
  designs,
  cutout,
  batches,
  looks,
  rendering,
}: Config) {
  return {
    image: designs.limits,
    upload: {
      ...designs.uploadRate,
      timeoutMs: server.requestTimeoutMs,
      /** Files of one account that one process receives, fetches or checks at once; further ones wait. */
      inMemory: designs.uploads.maxPerAccount,
    },
    requests,
    looks: looks.maxPerAccount,
    /** Maximum bytes of all files of one batch. */
    batchFormBytes: batches.maxFormBytes,
    /** Waiting tasks of one account; further tasks, or batches, are refused with `queue_full`. */
    waiting: {
      cutouts: cutout.maxWaiting,
      renders: rendering.maxWaiting,
      batchItems: batches.maxWaitingItems,
    },
    /** Of a key that has no rate limit of its own. */
    rate: { perSecond: accounts.limits.ratePerSecond, burst: accounts.limits.rateBurst },
    inFlight: accounts.inFlight,
    urlFetchTimeoutMs: designs.fetch.totalTimeoutMs,
    urlFetchRedirects: designs.fetch.maxRedirects,
    deadlineMs: rendering.deadlineMs,
    dialectDeadlinesMs: rendering.dialectDeadlinesMs,
    retentionMs: designs.retentionMs,
  };
}

export type PublishedLimits = ReturnType<typeof publishLimits>;
