/** Settings of the removal engine: which engine, and its model or remote service. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { engineUrl, headers, missing, setting, unfit, whole } from './setting.ts';

export const removalSettings = {
  REMOVAL_ENGINE: setting(
    z
      .union([z.enum(['isnet', 'keyer', 'onnx', 'http']), z.string().regex(/^\.{0,2}\/.+\.m?js$/)], {
        error:
          'must be `isnet`, `keyer`, `onnx`, `http`, or the path of a JavaScript file, such as ./my-engine.mjs',
      })
      .optional(),
    'Engine that removes backgrounds: `isnet` (a neural network, about 1 GB of memory), `keyer` (plain backdrops only, no weights, little memory), `onnx` (an installed model or your own model file), `http` (a remote service, such as rembg on a GPU), or the path of a JavaScript file that exports an engine, such as `./my-engine.mjs`. Default: `onnx` if REMOVAL_MODEL names a model other than `isnet`, otherwise `isnet`. See docs/engines.md.',
  ),
  REMOVAL_MODEL: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$|\.onnx$/, {
        error: 'needs the name of a model, such as birefnet-lite, or the path of an .onnx file',
      })
      .optional(),
    'For `onnx`: name of an installed model, such as `birefnet-lite` (`packshot models available` lists models and `packshot models install` installs one), or the path of an `.onnx` file with its JSON description next to it. The value `isnet` stands for the included model, and selects the engine `isnet`.',
  ),
  REMOVAL_URL: setting(
    engineUrl.optional(),
    'For `http`: URL to which photos are posted; if the URL has no path, `/api/remove` is added. No other host is called, and no redirect is followed.',
  ),
  REMOVAL_HEADERS: setting(
    headers.optional(),
    'For `http`: headers of each call, one `Name: value` per line, such as Authorization. Never logged.',
  ),
  REMOVAL_FIELDS: setting(
    z.string().default('om=true'),
    'For `http`: text fields of the form, written as a query string. `om=true` asks rembg for the mask only; to choose the model of rembg as well, append for example `&model=birefnet-general`. The value `@photo` marks the field of the photo, which is `file` by default: `image_file=@photo`.',
  ),
  REMOVAL_TIMEOUT_MS: setting(whole(100, 28_000).default(20_000), 'For `http`: timeout per attempt.'),
  REMOVAL_THREADS: setting(
    whole(1, 64).default(Math.min(4, availableParallelism())),
    'Threads per inference run.',
  ),
  REMOVAL_QUALITY: setting(
    z.enum(['fast', 'quality']).optional(),
    '`quality` adds passes over difficult areas and refines fur, with 1.5 model runs for most photos and 3 for hard ones; `fast` makes one run, and up to two more if that run is unsure about a photo with a bright border. Default: `quality` for `isnet` and `onnx`, `fast` for the other engines.',
  ),
  REMOVAL_MEMORY: setting(
    z.enum(['fast', 'small']).default('fast'),
    'With `isnet` and `onnx`: `fast` keeps the memory of a run for the next run; `small` releases it, so that the cutout process peaks at 0.45 to 0.6 GB instead of 0.65 to 1 GB, but takes at least 50 % longer. With `small`, RENDER_WORKERS is 1 by default.',
  ),
  REMOVAL_PROVIDER: setting(
    z.enum(['cpu', 'cuda', 'webgpu', 'dml', 'coreml']).default('cpu'),
    'For `isnet` and `onnx`: the execution provider. If it is unavailable, the service does not start; there is no fallback to the CPU. See docs/engines.md.',
  ),
};

type Environment = z.output<z.ZodObject<typeof removalSettings>>;

/** The cutout section. Throws `ConfigError` for settings that conflict. */
export function chooseRemoval(env: Environment, dataDir: string) {
  // Holds installed models and the optimized copies of models.
  const modelsDir = join(dataDir, 'models');
  return {
    modelsDir,
    threads: env.REMOVAL_THREADS,
    engine: chooseRemovalEngine(env, modelsDir),
    mode:
      env.REMOVAL_QUALITY ?? (passesOften.has(nameEngine(env)) ? ('quality' as const) : ('fast' as const)),
  };
}

/**
 * Returns the engine's name. As REMOVAL_MODEL, `isnet` means the included model, which runs in the engine `isnet`, not
 * in `onnx`. Throws `ConfigError` if REMOVAL_ENGINE contradicts REMOVAL_MODEL.
 */
function nameEngine({ REMOVAL_ENGINE, REMOVAL_MODEL }: Environment) {
  const byModel = REMOVAL_MODEL === undefined || REMOVAL_MODEL === 'isnet' ? 'isnet' : 'onnx';
  if (REMOVAL_MODEL !== undefined && REMOVAL_ENGINE !== undefined && REMOVAL_ENGINE !== byModel)
    throw unfit('REMOVAL_MODEL', `requires REMOVAL_ENGINE=${byModel}`);
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
      const model = env.REMOVAL_MODEL;
      if (model === undefined) throw missing('REMOVAL_MODEL', wantedBy);
      const isFile = model.endsWith('.onnx');
      const modelFile = isFile ? resolve(model) : join(cacheDir, `${model}.onnx`);
      return { engine, ...session, modelFile, ...(!isFile && { modelName: model }) };
    }
    case 'http': {
      if (env.REMOVAL_URL === undefined) throw missing('REMOVAL_URL', wantedBy);
      const url = new URL(env.REMOVAL_URL);
      if (url.pathname === '/') url.pathname = '/api/remove';
      const fields = [...new URLSearchParams(env.REMOVAL_FIELDS)];
      const isPhoto = ([, value]: readonly string[]) => value === '@photo';
      return {
        engine,
        url: url.href,
        headers: env.REMOVAL_HEADERS ?? {},
        fields: fields.filter((field) => !isPhoto(field)),
        fileField: fields.find(isPhoto)?.[0] ?? 'file',
        timeoutMs: env.REMOVAL_TIMEOUT_MS,
        retries: 2,
      };
    }
    default:
      return { engine: 'module' as const, file: resolve(engine) };
  }
}

/** Engines for which REMOVAL_QUALITY is `quality` by default: a pass of others is an upload, useless, or of unknown cost. */
const passesOften: ReadonlySet<string> = new Set(['isnet', 'onnx']);
