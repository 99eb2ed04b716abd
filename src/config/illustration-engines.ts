/** Settings of the illustration engines, including the API keys that the language model uses as well. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { engineUrl, headers, list, missing, setting, whole } from './setting.ts';

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: 'contains a space or another invisible character' });
export const modelName = z.string().regex(/^[a-z-]+:\S+$/, { error: 'must have the form provider:model' });

export const engineSettings = {
  ILLUSTRATION_ENGINE: setting(
    z
      .enum(['studio', 'ai-sdk', 'comfyui', 'a1111'], {
        error:
          'must be `studio`, `ai-sdk`, `comfyui` or `a1111`; a model on your own machine runs in one of the servers of docs/illustration-engines.md',
      })
      .default('studio'),
    'Engine that makes scenes: `studio` (embedded, procedural), `ai-sdk` (a provider, or an OpenAI-compatible server), `comfyui` or `a1111`. See docs/illustration-engines.md.',
  ),
  ILLUSTRATION_TIMEOUT_MS: setting(
    whole(1_000, 300_000).default(180_000),
    'Time limit for a picture from the illustration engine, including all attempts.',
  ),
  ILLUSTRATION_LONG_SIDE_PX: setting(
    whole(512, 2_048).default(1_024),
    'Longer side of painted pictures, for models that support any size; 512 to 768 for Stable Diffusion 1.5.',
  ),
  IMAGE_MODEL: setting(
    modelName.optional(),
    'For `ai-sdk`: the image model as `provider:model`; the provider is `openai`, `google`, `fal`, `replicate` or `openai-compatible`.',
  ),
  IMAGE_MODES: setting(
    list.pipe(z.array(z.enum(['scaffold-edit', 'instruct-edit', 'plate-only']))),
    "For `ai-sdk`: the modes that the model supports, preferred first, separated by commas: `scaffold-edit`, `instruct-edit`, `plate-only`. Default: guessed from the model's name. See docs/illustration-engines.md.",
  ),
  OPENAI_API_KEY: setting(secret.optional(), 'API key for models of the provider `openai`.'),
  GOOGLE_GENERATIVE_AI_API_KEY: setting(secret.optional(), 'API key for models of the provider `google`.'),
  FAL_API_KEY: setting(secret.optional(), 'API key for models of the provider `fal`.'),
  REPLICATE_API_TOKEN: setting(secret.optional(), 'API token for models of the provider `replicate`.'),
  OPENAI_COMPATIBLE_BASE_URL: setting(
    engineUrl.optional(),
    'Base URL for models of the provider `openai-compatible`, with the API version, such as `http://gpu:8000/v1`.',
  ),
  OPENAI_COMPATIBLE_API_KEY: setting(
    secret.optional(),
    'API key for models of the provider `openai-compatible`, if the server requires a key.',
  ),
  COMFYUI_URL: setting(
    engineUrl.default('http://127.0.0.1:8188'),
    'For `comfyui`: base URL; may end in `/api` if a proxy only forwards that path.',
  ),
  COMFYUI_WORKFLOW: setting(
    z.string().optional(),
    "For `comfyui`: a workflow file in ComfyUI's API format, with placeholders.",
  ),
  COMFYUI_HEADERS: setting(
    headers.optional(),
    'For `comfyui`: headers of each call, one `Name: value` per line.',
  ),
  A1111_URL: setting(
    engineUrl.default('http://127.0.0.1:7860'),
    'For `a1111`: base URL of the web UI, without `/sdapi`.',
  ),
  A1111_HEADERS: setting(
    headers.optional(),
    'For `a1111`: headers of each call, one `Name: value` per line.',
  ),
  A1111_CHECKPOINT: setting(
    z.string().optional(),
    "For `a1111`: the checkpoint; the server's own choice by default.",
  ),
  A1111_STEPS: setting(whole(1, 150).default(25), 'For `a1111`: sampling steps.'),
  A1111_CFG_SCALE: setting(
    z.coerce.number().min(1).max(30).default(6),
    'For `a1111`: guidance scale (CFG); distilled and FLUX checkpoints need 1.',
  ),
};

/** Retries per picture if the engine is busy, fails or does not respond. */
const retries = 2;

type EngineEnvironment = z.output<z.ZodObject<typeof engineSettings>>;

/** The engine that makes scenes. */
export function chooseIllustrationEngine(env: EngineEnvironment) {
  const common = {
    timeoutMs: env.ILLUSTRATION_TIMEOUT_MS,
    retries,
    longSidePx: env.ILLUSTRATION_LONG_SIDE_PX,
  };
  const wantedBy = `ILLUSTRATION_ENGINE=${env.ILLUSTRATION_ENGINE}`;
  switch (env.ILLUSTRATION_ENGINE) {
    case 'studio':
      return { engine: 'studio' as const };
    case 'ai-sdk': {
      if (env.IMAGE_MODEL === undefined) throw missing('IMAGE_MODEL', wantedBy);
      const modes = env.IMAGE_MODES.length > 0 ? { modes: env.IMAGE_MODES } : {};
      return { engine: 'ai-sdk' as const, ...common, ...modes, ...findModel(env, env.IMAGE_MODEL) };
    }
    case 'comfyui':
      if (env.COMFYUI_WORKFLOW === undefined) throw missing('COMFYUI_WORKFLOW', wantedBy);
      return {
        engine: 'comfyui' as const,
        ...common,
        url: env.COMFYUI_URL,
        workflowFile: resolve(env.COMFYUI_WORKFLOW),
        headers: env.COMFYUI_HEADERS ?? {},
      };
    case 'a1111':
      return {
        engine: 'a1111' as const,
        ...common,
        url: env.A1111_URL,
        headers: env.A1111_HEADERS ?? {},
        steps: env.A1111_STEPS,
        cfgScale: env.A1111_CFG_SCALE,
        /** How much of the composite is repainted, 0 to 1. */
        denoisingStrength: 0.7,
        ...(env.A1111_CHECKPOINT !== undefined && { checkpoint: env.A1111_CHECKPOINT }),
      };
    default:
      return env.ILLUSTRATION_ENGINE satisfies never;
  }
}

const keyNames = {
  openai: 'OPENAI_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  fal: 'FAL_API_KEY',
  replicate: 'REPLICATE_API_TOKEN',
} as const;

/** The model with its provider's key and base URL. */
export function findModel(env: EngineEnvironment, model: string) {
  const provider = model.slice(0, model.indexOf(':'));
  if (provider === 'openai-compatible') {
    const baseUrl = env.OPENAI_COMPATIBLE_BASE_URL;
    if (baseUrl === undefined) throw missing('OPENAI_COMPATIBLE_BASE_URL', model);
    const apiKey = env.OPENAI_COMPATIBLE_API_KEY;
    return { model, baseUrl, ...(apiKey !== undefined && { apiKey }) };
  }
  const keyName = Object.entries(keyNames).find(([name]) => name === provider)?.[1];
  // An unknown provider is refused later, when the model is opened, with a list of the known providers.
  if (keyName === undefined) return { model };
  const apiKey = env[keyName];
  if (apiKey === undefined) throw missing(keyName, model);
  return { model, apiKey };
}
