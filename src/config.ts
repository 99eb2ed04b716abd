/** The only reader of the environment: one schema, split into sections named after the rooms that use them. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { limitSettings } from './config/limit-settings.ts';
import {
  chooseIllustrationEngine,
  chooseLanguageModel,
  choosePaintingLimits,
  choosePatience,
  sceneSettings,
} from './config/scene-settings.ts';
import { ConfigError, engineUrl, headers, list, missing, setting, unfit, whole } from './config/setting.ts';
import { chooseStorage, storageSettings } from './config/storage-settings.ts';

/** Placeholders from sample files and tutorials; a random key is unlikely to contain one. */
const sampleKey = /change.?me|change.?it|replace.?me|example|placeholder|secret.?key|your.?(api.?)?key/i;

/** Every environment variable of Packshot; `docs/configuration.md` is generated from this schema. */
export const environmentSchema = z.object({
  HOST: setting(z.string().default('127.0.0.1'), 'Address to listen on; loopback by default.'),
  PORT: setting(whole(0, 65_535).default(8080), 'Port to listen on; 0 picks a free one.'),
  PUBLIC_URL: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'Base URL under which callers reach the service; used in what it prints and in signed URLs.',
  ),
  DATA_DIR: setting(z.string().default('./data'), 'Folder for all data of the service.'),
  BOOTSTRAP_API_KEY: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{24,1024}$/, { error: 'needs 24 to 1024 visible ASCII characters' })
      .refine((key) => !sampleKey.test(key), {
        error: 'looks like a sample that others know; `openssl rand -hex 24` makes one of your own',
      })
      .optional(),
    'A key of your own choosing that exists, with all scopes, from the first start on: 24 to 1,024 visible ASCII characters, as it travels in a header. Always a live key, whatever its text begins with. Another value adds a key and does not revoke the earlier one; `packshot keys revoke` does.',
  ),
  REMOVAL_ENGINE: setting(
    z.enum(['isnet', 'keyer', 'onnx', 'http']).optional(),
    'Engine that removes backgrounds: `isnet` (a neural network, about 1 GB of memory), `keyer` (plain backdrops only, no weights, little memory), `onnx` (an installed model or your own model file) or `http` (a remote service, such as rembg on a GPU). Default: `onnx` with REMOVAL_MODEL, otherwise `isnet`. See docs/engines.md.',
  ),
  REMOVAL_MODEL: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'needs the name of a model, such as birefnet-lite' })
      .optional(),
    'For `onnx`: name of an installed model, such as `birefnet-lite`; `packshot models available` lists models and `packshot models install` installs one. `isnet` is the included one.',
  ),
  MODEL_FILE: setting(
    z.string().optional(),
    'For `onnx`, in place of REMOVAL_MODEL: path of a model file, with its JSON description beside it.',
  ),
  MODEL_MIRROR: setting(
    z
      .string()
      .refine((text) => !text.includes('://') || /^https?:\/\//.test(text), {
        error: 'needs a folder, or an http or https URL',
      })
      .optional(),
    'Folder or base URL from which `packshot models install NAME` takes `NAME.onnx` in place of its publisher. The checksums stay those of the publisher.',
  ),
  REMOVAL_URL: setting(
    engineUrl.optional(),
    'For `http`: where photos are posted to; `/api/remove` if the URL has no path. No other host is called, and no redirect is followed.',
  ),
  REMOVAL_HEADERS: setting(
    headers.optional(),
    'For `http`: headers of each call, one `Name: value` per line, such as Authorization. Never logged.',
  ),
  REMOVAL_FIELDS: setting(
    z.string().default('om=true'),
    'For `http`: text fields of the form, written as a query string. `om=true` asks rembg for the mask only; `&model=birefnet-general` would choose its model.',
  ),
  REMOVAL_FILE_FIELD: setting(z.string().default('file'), 'For `http`: form field of the photo.'),
  REMOVAL_TIMEOUT_MS: setting(whole(100, 28_000).default(20_000), 'For `http`: timeout of one try.'),
  REMOVAL_RETRIES: setting(
    whole(0, 10).default(2),
    'For `http`: further tries if the service is busy, fails or does not answer.',
  ),
  REMOVAL_THREADS: setting(
    whole(1, 64).default(Math.min(4, availableParallelism())),
    'Threads of one inference.',
  ),
  REMOVAL_QUALITY: setting(
    z.enum(['fast', 'quality']).optional(),
    '`quality` adds passes over difficult areas and refines fur, with about 2.4 model runs per photo; `fast` makes one. Default: `quality` for `isnet` and `onnx`, `fast` for the others.',
  ),
  REMOVAL_MEMORY: setting(
    z.enum(['fast', 'small']).default('fast'),
    'With `isnet` and `onnx`: `fast` keeps the memory of a run for the next one; `small` releases it, so that the process that cuts peaks at 0.45 to 0.6 instead of 0.9 to 1.3 GB, and takes at least 50 % longer.',
  ),
  REMOVAL_PROVIDER: setting(
    z.enum(['cpu', 'cuda', 'webgpu', 'dml', 'coreml']).default('cpu'),
    'For `isnet` and `onnx`: the execution provider. If it is unavailable, the service does not start; there is no fallback to the CPU. See docs/engines.md.',
  ),
  RENDER_WORKERS: setting(
    whole(1, 64).default(Math.max(1, Math.min(4, availableParallelism()))),
    'Processes that decode uploads and render pictures. One more starts when an account calls while another one keeps these busy.',
  ),
  ...limitSettings,
  URL_ALLOW: setting(
    list,
    'Hosts, `host:port`, addresses and CIDRs that upload-from-URL may reach beyond the public internet, separated by commas. Listed names and names without a dot are resolved by the system; other names by DNS alone, without `/etc/hosts`.',
  ),
  ...sceneSettings,
  WEBHOOK_ALLOW: setting(
    list,
    'Hosts, `host:port`, addresses and CIDRs that webhooks may be sent to beyond https on public addresses, separated by commas.',
  ),
  MAX_WAITING_BATCH_ITEMS: setting(
    whole(0, 10_000_000).default(5_000),
    "Batches are refused with 503 `queue_full` and Retry-After while this many pictures of the account's earlier batches are waiting.",
  ),
  RATE_PER_SECOND: setting(
    z.coerce.number().min(0.1).max(100_000).default(10),
    'Sustained calls per second for each key; counted across all processes on one PostgreSQL.',
  ),
  RATE_BURST: setting(whole(1, 100_000).default(20), 'Calls that a key may make at once.'),
  MAX_IN_FLIGHT: setting(
    whole(1, 100_000).default(8),
    'Concurrent calls per key and process; further ones wait, within their deadline.',
  ),
  PREVIEW_DEADLINE_MS: setting(whole(100, 600_000).default(10_000), 'Time limit of a preview.'),
  FULL_DEADLINE_MS: setting(whole(100, 600_000).default(25_000), 'Time limit of a full version.'),
  UPLOAD_TIMEOUT_MS: setting(whole(100, 3_600_000).default(60_000), 'Maximum time to receive a request.'),
  UPLOAD_MIN_BYTES_PER_SECOND: setting(
    whole(0, 1_000_000_000).default(50_000),
    'Minimum average rate of an upload after its first UPLOAD_GRACE_MS. A slower one is refused with 408, so that it does not occupy a memory slot. 0 disables the check.',
  ),
  UPLOAD_GRACE_MS: setting(
    whole(0, 3_600_000).default(5_000),
    'Time before UPLOAD_MIN_BYTES_PER_SECOND applies to an upload.',
  ),
  MAX_UPLOADS_IN_MEMORY: setting(
    whole(2, 10_000).default(16),
    'Files that one process receives, fetches or checks at once, at most half of them for one account. Further uploads wait for up to 30 s, and accounts take turns.',
  ),
  MAX_WAITING_CUTOUTS: setting(
    whole(0, 1_000_000).default(32),
    'Photos of one account that may wait for their cutouts, counted across all processes. Further uploads get 503 `queue_full` with Retry-After. Accounts take turns, so this does not limit how long another account waits.',
  ),
  MAX_WAITING_RENDERS: setting(
    whole(0, 1_000_000).default(64),
    'Decodes and renders of one account that may wait; further ones get 503 with Retry-After. One process queues up to 8 times as many for all accounts together. Renders that `api` processes send to workers are counted per account, and across all these processes.',
  ),
  RETENTION_DAYS: setting(
    z.coerce.number().min(0).max(36_500).default(7),
    'Days after its last use until a design or a backdrop expires: never earlier, at most an hour later, and erased by an hourly sweep; 0 keeps them until they are deleted. Opening a signed URI, which needs no key, does not count as use.',
  ),
  TRUST_PROXY: setting(
    z
      .string()
      .regex(/^(true|false|\d|10)$/, { error: 'needs true, false or a number from 0 to 10' })
      .transform((text) => (text === 'true' ? 1 : text === 'false' ? 0 : Number(text)))
      .default(0),
    'Number of trusted reverse proxies in front, each of which appends to `X-Forwarded-For`; `true` is 1, `false` is 0. Wrong keys are counted for the client address that the outermost of them saw. Needs PUBLIC_URL.',
  ),
  KEEP_COMPAT_DESIGNS: setting(
    z.enum(['true', 'false']).default('false'),
    'Whether photos sent through the interfaces of other services (`/v1.0/removebg`, `/v1/segment`, `/api/remove`) are kept like uploads; otherwise they are erased after the answer.',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Log level; logs are JSON lines on standard output.',
  ),
  REMBG_PORT: setting(
    whole(0, 65_535).optional(),
    "Separate port on which `/api/remove` serves clients of rembg WITHOUT a key; rembg's own default is 7000, which `packshot serve --rembg` selects. Its calls are counted for a key named `rembg`.",
  ),
  REMBG_HOST: setting(
    z.string().default('127.0.0.1'),
    'Address that REMBG_PORT listens on. Anyone who can connect to it may use it; by default only this machine can.',
  ),
  METRICS_PORT: setting(
    whole(1, 65_535).optional(),
    'Separate port on which `/metrics` serves Prometheus without a key. Keys with the scope `admin` get the same on the main port.',
  ),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), 'Address that METRICS_PORT listens on.'),
  MIN_FREE_BYTES: setting(
    whole(0, 2 ** 50).optional(),
    'For `fs`: uploads get 507 while less than this is free below DATA_DIR; reads and renders continue. Default: 268435456 (256 MiB), or a twentieth of a smaller disk.',
  ),
  MAX_JOB_AGE_S: setting(
    whole(1, 1_000_000).default(600),
    '`/readyz` reports a photo that has waited this many seconds for its cutout; only with ROLE=all.',
  ),
  ...storageSettings,
});

/** Optimized copies of models, and models installed by `packshot models install`. */
const modelsDirOf = (dataDir: string): string => join(dataDir, 'models');

type Environment = z.output<typeof environmentSchema>;

/** `isnet` is a name for the included model, which has an engine of its own. */
function nameEngine({ REMOVAL_ENGINE, REMOVAL_MODEL }: Environment) {
  const byModel = REMOVAL_MODEL === undefined || REMOVAL_MODEL === 'isnet' ? 'isnet' : 'onnx';
  if (REMOVAL_MODEL !== undefined && REMOVAL_ENGINE !== undefined && REMOVAL_ENGINE !== byModel)
    throw unfit('REMOVAL_MODEL', `${REMOVAL_MODEL} goes with REMOVAL_ENGINE=${byModel}`);
  return REMOVAL_ENGINE ?? byModel;
}

function chooseRemovalEngine(env: Environment, cacheDir: string) {
  const engine = nameEngine(env);
  const wantedBy = `REMOVAL_ENGINE=${engine}`;
  const session = {
    threads: env.REMOVAL_THREADS,
    cacheDir,
    memory: env.REMOVAL_MEMORY,
    provider: env.REMOVAL_PROVIDER,
  };
  switch (engine) {
    case 'isnet':
      return { engine, ...session };
    case 'keyer':
      return { engine };
    case 'onnx': {
      if (env.REMOVAL_MODEL !== undefined && env.MODEL_FILE !== undefined)
        throw unfit('MODEL_FILE', 'takes the place of REMOVAL_MODEL; set one of the two');
      const path = env.MODEL_FILE ?? '';
      // A bare name refers to an installed model here, too.
      const installed = /^[a-z0-9][a-z0-9._-]*$/.test(path) && !path.endsWith('.onnx');
      const modelName = env.REMOVAL_MODEL ?? (installed ? path : undefined);
      if (modelName === undefined && path === '') throw missing('REMOVAL_MODEL', wantedBy);
      const modelFile = modelName === undefined ? resolve(path) : join(cacheDir, `${modelName}.onnx`);
      return { engine, ...session, modelFile, ...(modelName !== undefined && { modelName }) };
    }
    case 'http': {
      if (env.REMOVAL_URL === undefined) throw missing('REMOVAL_URL', wantedBy);
      const url = new URL(env.REMOVAL_URL);
      if (url.pathname === '/') url.pathname = '/api/remove';
      return {
        engine,
        url: url.href,
        headers: env.REMOVAL_HEADERS ?? {},
        fields: [...new URLSearchParams(env.REMOVAL_FIELDS)],
        fileField: env.REMOVAL_FILE_FIELD,
        timeoutMs: env.REMOVAL_TIMEOUT_MS,
        retries: env.REMOVAL_RETRIES,
      };
    }
    default:
      return engine satisfies never;
  }
}

/** Each extra pass of an `http` engine is another upload, and the keyer gains nothing from one. */
const defaultModes = { isnet: 'quality', onnx: 'quality', keyer: 'fast', http: 'fast' } as const;

/** Throws `ConfigError` with one line per invalid variable. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(`The configuration does not fit:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  // Without it, issued URIs would be built from headers that callers may have forged.
  if (env.TRUST_PROXY > 0 && env.PUBLIC_URL === undefined) throw missing('PUBLIC_URL', 'TRUST_PROXY');
  const dataDir = resolve(env.DATA_DIR);
  const day = 86_400_000;
  return {
    server: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
      requestTimeoutMs: env.UPLOAD_TIMEOUT_MS,
      trustedProxies: env.TRUST_PROXY,
      logLevel: env.LOG_LEVEL,
    },
    dialects: {
      keepDesigns: env.KEEP_COMPAT_DESIGNS === 'true',
      rembg: env.REMBG_PORT === undefined ? undefined : { host: env.REMBG_HOST, port: env.REMBG_PORT },
    },
    requests: {
      jsonBytes: env.MAX_JSON_BYTES,
      batchBytes: env.MAX_BATCH_JSON_BYTES,
      batchItems: env.MAX_BATCH_ITEMS,
      promptChars: env.MAX_PROMPT_CHARS,
    },
    role: env.ROLE,
    storage: { dataDir, minFreeBytes: env.MIN_FREE_BYTES, ...chooseStorage(env, dataDir) },
    sight: {
      metrics:
        env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
      maxJobAgeMs: env.MAX_JOB_AGE_S * 1_000,
    },
    accounts: {
      bootstrapApiKey: env.BOOTSTRAP_API_KEY,
      inFlight: env.MAX_IN_FLIGHT,
      limits: { ratePerSecond: env.RATE_PER_SECOND, rateBurst: env.RATE_BURST, wrongKeysPerMinute: 20 },
    },
    designs: {
      limits: {
        maxBytes: env.MAX_FILE_BYTES,
        maxPixels: Math.round(env.MAX_MEGAPIXELS * 1e6),
        maxAvifPixels: Math.round(Math.min(env.MAX_AVIF_MEGAPIXELS, env.MAX_MEGAPIXELS) * 1e6),
        minSidePx: env.MIN_SIDE_PX,
        maxSidePx: env.MAX_SIDE_PX,
      },
      readsHeic: env.READ_HEIC === 'true',
      uploads: {
        places: env.MAX_UPLOADS_IN_MEMORY,
        mostPerAccount: Math.floor(env.MAX_UPLOADS_IN_MEMORY / 2),
      },
      uploadRate: { graceMs: env.UPLOAD_GRACE_MS, minBytesPerSecond: env.UPLOAD_MIN_BYTES_PER_SECOND },
      retentionMs: env.RETENTION_DAYS === 0 ? null : env.RETENTION_DAYS * day,
      fetch: {
        allow: env.URL_ALLOW,
        ports: [80, 443],
        connectTimeoutMs: Math.min(3_000, env.URL_FETCH_TIMEOUT_MS),
        firstByteTimeoutMs: Math.min(5_000, env.URL_FETCH_TIMEOUT_MS),
        totalTimeoutMs: env.URL_FETCH_TIMEOUT_MS,
        maxRedirects: env.URL_FETCH_REDIRECTS,
        maxBytes: env.MAX_FILE_BYTES,
      },
    },
    cutout: {
      modelsDir: modelsDirOf(dataDir),
      modelMirror: env.MODEL_MIRROR,
      threads: env.REMOVAL_THREADS,
      engine: chooseRemovalEngine(env, modelsDirOf(dataDir)),
      mode: env.REMOVAL_QUALITY ?? defaultModes[nameEngine(env)],
      maxWaiting: env.MAX_WAITING_CUTOUTS,
    },
    scenes: {
      painting: {
        engine: chooseIllustrationEngine(env, env.ROLE),
        when: env.ILLUSTRATE,
        patienceMs: choosePatience(env, env.FULL_DEADLINE_MS),
        limits: choosePaintingLimits(env),
      },
      drawAhead: env.DRAW_AHEAD,
      mostKeylessDraws: env.MAX_KEYLESS_DRAWS,
      language: {
        model: chooseLanguageModel(env),
        seesPicture: env.PLANNER_SEES_PICTURE === 'true',
        detectsKind: env.KIND_DETECTOR === 'model',
      },
      foreign: {
        allow: env.ILLUSTRATION_ALLOW,
        maxBytes: env.MAX_FILE_BYTES,
        totalTimeoutMs: env.URL_FETCH_TIMEOUT_MS,
      },
    },
    events: { allow: env.WEBHOOK_ALLOW },
    batches: { maxWaitingItems: env.MAX_WAITING_BATCH_ITEMS, maxFormBytes: env.MAX_BATCH_BYTES },
    rendering: {
      workers: env.RENDER_WORKERS,
      maxWaiting: env.MAX_WAITING_RENDERS,
      deadlineMs: { preview: env.PREVIEW_DEADLINE_MS, generated: env.FULL_DEADLINE_MS },
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;
