/** The only reader of the environment: one schema, turned into sections named after the rooms they go to. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { IllustrationEngineConfig } from './scenes/engines/registry.ts';
import type { LanguageModelSettings } from './scenes/language-model.ts';

const MiB = 1024 * 1024;

/** An unset, an empty and a blank variable are the same: as a number, a blank would be 0. */
const setting = <T extends z.ZodType>(schema: T, meaning: string) =>
  z
    .preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), schema)
    .describe(meaning);
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''));
const notYet = (name: string, only: string) =>
  z.enum([only], { error: `this version of Packshot knows only ${name}=${only}` }).default(only);

/** Every variable that Packshot reads; `docs/configuration.md` is made from this. */
export const environmentSchema = z.object({
  HOST: setting(z.string().default('127.0.0.1'), 'Address to listen on. Loopback unless told otherwise.'),
  PORT: setting(whole(0, 65_535).default(8080), 'Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'Base URL under which callers reach the service, for what it prints and issues.',
  ),
  DATA_DIR: setting(z.string().default('./data'), 'Folder for everything that the service keeps.'),
  BOOTSTRAP_API_KEY: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{24,200}$/, { error: 'needs 24 to 200 visible ASCII characters' })
      .optional(),
    'A key of your own choosing that exists, with all scopes, from the first start on.',
  ),
  REMOVAL_ENGINE: setting(
    z.enum(['isnet', 'keyer', 'onnx', 'http']).default('isnet'),
    'What finds the product: `isnet` (a neural network, about 1.2 GB of memory), `keyer` (plain backdrops only, no weights, little memory), `onnx` (a model file of your own) or `http` (a service elsewhere, such as rembg on a GPU). See docs/engines.md.',
  ),
  MODEL_FILE: setting(
    z.string().optional(),
    'For `onnx`: path of the model file, described by the JSON beside it, or the name of an installed one (`packshot models list`).',
  ),
  REMOVAL_URL: setting(
    z
      .url({ protocol: /^https?$/, error: 'needs an http or https URL' })
      .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
        error: 'takes no user name; put an Authorization line into REMOVAL_HEADERS',
      })
      .optional(),
    'For `http`: where photos are posted to; `/api/remove` where the URL has no path. No other host is ever asked, and no redirect followed.',
  ),
  REMOVAL_HEADERS: setting(
    z.string().transform(parseHeaders).optional(),
    'For `http`: headers of each call, one `Name: value` a line, such as an Authorization. Never logged.',
  ),
  REMOVAL_FIELDS: setting(
    z.string().default('om=true'),
    'For `http`: text fields of the form, written like a query. `om=true` asks rembg for the mask only; `&model=birefnet-general` would choose its model.',
  ),
  REMOVAL_FILE_FIELD: setting(z.string().default('file'), "For `http`: the form's name for the photo."),
  REMOVAL_TIMEOUT_MS: setting(
    whole(100, 28_000).default(20_000),
    'For `http`: a try that takes longer counts as failed.',
  ),
  REMOVAL_RETRIES: setting(
    whole(0, 10).default(2),
    'For `http`: tries after the first, when the service is busy, broken or silent.',
  ),
  REMOVAL_THREADS: setting(
    whole(1, 64).default(Math.min(4, availableParallelism())),
    'Threads of one inference.',
  ),
  REMOVAL_QUALITY: setting(
    z.enum(['fast', 'quality']).optional(),
    '`quality` looks again at what pays and mats fur, at about 2.4 model runs a photo; `fast` makes one. `quality` for `isnet` and `onnx`, `fast` for the others where unset.',
  ),
  REMOVAL_MEMORY: setting(
    z.enum(['fast', 'small']).default('fast'),
    "With `isnet` and `onnx`: `fast` keeps a run's memory for the next one, `small` gives it back, peaks at 1.2 GB in place of 1.6 for the whole service, and takes about half as long again.",
  ),
  RENDER_WORKERS: setting(
    whole(1, 64).default(Math.max(1, Math.min(4, availableParallelism()))),
    'Processes that decode uploads and draw pictures.',
  ),
  MAX_FILE_BYTES: setting(whole(1_000, 1_000 * MiB).default(25 * MiB), 'Largest upload.'),
  MAX_MEGAPIXELS: setting(z.coerce.number().min(0.001).max(500).default(50), 'Largest picture that is read.'),
  MAX_AVIF_MEGAPIXELS: setting(
    z.coerce.number().min(0.001).max(500).default(25),
    'Largest AVIF that is read; its decoder needs three times the memory of the others.',
  ),
  URL_ALLOW: setting(
    list,
    'Hosts, `host:port`, addresses and CIDRs that upload-from-URL may reach beyond the public internet, separated by commas.',
  ),
  ILLUSTRATION_ENGINE: setting(
    z.enum(['studio']).default('studio'),
    'What makes scenes: `studio` (embedded, procedural). See docs/illustration-engines.md.',
  ),
  ILLUSTRATE: setting(
    z.enum(['suggested', 'chosen']).default('suggested'),
    'Whether the illustration engine paints every scene that is suggested, or only those that a full version is asked of.',
  ),
  ILLUSTRATION_CONCURRENCY: setting(
    whole(1, 64).default(2),
    'Pictures that the illustration engine makes side by side.',
  ),
  ILLUSTRATION_TIMEOUT_MS: setting(
    whole(1_000, 1_800_000).default(180_000),
    'A picture of the illustration engine that takes longer is given up.',
  ),
  ILLUSTRATION_BUDGET_USD: setting(
    z.coerce.number().min(0).max(1e6).optional(),
    'US dollars that the pictures asked for with one key may cost in 30 days; after that the studio draws them.',
  ),
  ILLUSTRATION_PRICE_USD: setting(
    z.coerce.number().min(0).max(100).optional(),
    'US dollars of one picture, from the price list of your provider: no provider tells it in its answers.',
  ),
  ILLUSTRATION_ALLOW: setting(
    list,
    'Hosts, or `host:port`, whose pictures callers may name as illustrations in mutations; none unless told.',
  ),
  DRAW_AHEAD: setting(
    z.enum(['off', 'preview']).default('preview'),
    'Whether previews of suggested scenes are drawn before they are asked for, while nothing else is to do.',
  ),
  RATE_PER_SECOND: setting(
    z.coerce.number().min(0.1).max(100_000).default(10),
    'Calls a second a key, sustained.',
  ),
  RATE_BURST: setting(whole(1, 100_000).default(20), 'Calls a key may make at once.'),
  MAX_IN_FLIGHT: setting(whole(1, 100_000).default(8), 'Calls of one key that are answered at once.'),
  PREVIEW_DEADLINE_MS: setting(
    whole(100, 600_000).default(10_000),
    'A preview that takes longer is given up.',
  ),
  FULL_DEADLINE_MS: setting(
    whole(100, 600_000).default(25_000),
    'A full version that takes longer is given up.',
  ),
  UPLOAD_TIMEOUT_MS: setting(
    whole(100, 3_600_000).default(60_000),
    'A request that takes longer to arrive is refused.',
  ),
  MAX_WAITING_CUTOUTS: setting(
    whole(0, 1_000_000).default(32),
    'Uploads beyond this many unfinished cutouts are answered with 503 and Retry-After.',
  ),
  MAX_WAITING_RENDERS: setting(
    whole(0, 1_000_000).default(64),
    'Decodes and renders beyond this many waiting ones are answered with 503 and Retry-After.',
  ),
  RETENTION_DAYS: setting(
    z.coerce.number().min(0).max(36_500).default(7),
    'Days after its last use that a design is erased; 0 keeps designs until they are deleted.',
  ),
  TRUST_PROXY: setting(
    z.enum(['true', 'false']).default('false'),
    'Whether X-Forwarded-* headers come from your own proxy and may be believed.',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'How much is logged, as JSON lines on standard output.',
  ),
  DATABASE_URL: setting(
    z.undefined({ error: 'this version of Packshot keeps its rows in SQLite only; unset it' }).optional(),
    'Reserved. Rows live in SQLite below DATA_DIR.',
  ),
  BLOB_STORE: setting(notYet('BLOB_STORE', 'fs'), 'Where pictures are kept.'),
  QUEUE: setting(notYet('QUEUE', 'embedded'), 'What runs the jobs.'),
  ROLE: setting(notYet('ROLE', 'all'), 'Which parts of the service this process runs.'),
});

/** HTTP field names are tokens and values visible text (RFC 9110, 5.1 and 5.5). Says nothing of what it was given. */
function parseHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      context.addIssue({ code: 'custom', message: 'needs one `Name: value` a line, in plain ASCII' });
      return z.NEVER;
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Optimised copies of models, and the models that `packshot models install` brought. */
const modelsDirOf = (dataDir: string): string => join(dataDir, 'models');

type Environment = z.output<typeof environmentSchema>;

function chooseRemovalEngine(env: Environment, cacheDir: string) {
  const missing = (name: string) =>
    new ConfigError(
      `The configuration does not fit:\n  ${name}: needed with REMOVAL_ENGINE=${env.REMOVAL_ENGINE}`,
    );
  const session = { threads: env.REMOVAL_THREADS, cacheDir, memory: env.REMOVAL_MEMORY };
  switch (env.REMOVAL_ENGINE) {
    case 'isnet':
      return { engine: 'isnet' as const, ...session };
    case 'keyer':
      return { engine: 'keyer' as const };
    case 'onnx': {
      if (env.MODEL_FILE === undefined) throw missing('MODEL_FILE');
      // A bare name is an installed model.
      const installed = /^[a-z0-9][a-z0-9._-]*$/.test(env.MODEL_FILE) && !env.MODEL_FILE.endsWith('.onnx');
      const modelFile = installed ? join(cacheDir, `${env.MODEL_FILE}.onnx`) : resolve(env.MODEL_FILE);
      return { engine: 'onnx' as const, ...session, modelFile };
    }
    case 'http': {
      if (env.REMOVAL_URL === undefined) throw missing('REMOVAL_URL');
      const url = new URL(env.REMOVAL_URL);
      if (url.pathname === '/') url.pathname = '/api/remove';
      return {
        engine: 'http' as const,
        url: url.href,
        headers: env.REMOVAL_HEADERS ?? {},
        fields: [...new URLSearchParams(env.REMOVAL_FIELDS)],
        fileField: env.REMOVAL_FILE_FIELD,
        timeoutMs: env.REMOVAL_TIMEOUT_MS,
        retries: env.REMOVAL_RETRIES,
      };
    }
    default:
      return env.REMOVAL_ENGINE satisfies never;
  }
}

function chooseIllustrationEngine(_env: Environment): IllustrationEngineConfig | undefined {
  return undefined;
}

/** Each look at a photo is an upload to an `http` engine, and the keyer sees no more at the second. */
const defaultModes = { isnet: 'quality', onnx: 'quality', keyer: 'fast', http: 'fast' } as const;

/** Throws `ConfigError` with a line for each variable that does not fit. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration does not fit:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const day = 86_400_000;
  return {
    server: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
      requestTimeoutMs: env.UPLOAD_TIMEOUT_MS,
      trustProxy: env.TRUST_PROXY === 'true',
      logLevel: env.LOG_LEVEL,
    },
    storage: { dataDir },
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
        minSidePx: 16,
        // The largest side that WebP can hold, so that no cutout exists that one of its formats could not carry.
        maxSidePx: 16_383,
      },
      retentionMs: env.RETENTION_DAYS === 0 ? null : env.RETENTION_DAYS * day,
      fetch: {
        allow: env.URL_ALLOW,
        ports: [80, 443],
        connectTimeoutMs: 3_000,
        firstByteTimeoutMs: 5_000,
        totalTimeoutMs: 15_000,
        maxRedirects: 3,
        maxBytes: env.MAX_FILE_BYTES,
      },
    },
    cutout: {
      modelsDir: modelsDirOf(dataDir),
      threads: env.REMOVAL_THREADS,
      engine: chooseRemovalEngine(env, modelsDirOf(dataDir)),
      mode: env.REMOVAL_QUALITY ?? defaultModes[env.REMOVAL_ENGINE],
      maxWaiting: env.MAX_WAITING_CUTOUTS,
    },
    scenes: {
      painting: {
        engine: chooseIllustrationEngine(env),
        when: env.ILLUSTRATE,
        // The other half is the studio's, should the engine fail or be late.
        patienceMs: env.FULL_DEADLINE_MS / 2,
        limits: {
          concurrency: env.ILLUSTRATION_CONCURRENCY,
          timeoutMs: env.ILLUSTRATION_TIMEOUT_MS,
          budgetUsd: env.ILLUSTRATION_BUDGET_USD ?? null,
          priceUsd: env.ILLUSTRATION_PRICE_USD ?? null,
        },
      },
      drawAhead: env.DRAW_AHEAD,
      language: {
        model: undefined as LanguageModelSettings | undefined,
        seesPicture: true,
        detectsKind: false,
      },
      foreign: { allow: env.ILLUSTRATION_ALLOW, maxBytes: env.MAX_FILE_BYTES },
    },
    rendering: {
      workers: env.RENDER_WORKERS,
      maxWaiting: env.MAX_WAITING_RENDERS,
      deadlineMs: { preview: env.PREVIEW_DEADLINE_MS, generated: env.FULL_DEADLINE_MS },
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;
