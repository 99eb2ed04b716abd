/** Reads the folder of a text-to-image model, which has the layout of Hugging Face's ONNX exports. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PackshotError } from '../../../errors.ts';
import type { ClipVocabulary } from './clip-tokenizer.ts';
import type { NoiseSchedule } from './euler-steps.ts';
import { decidesPictures, fingerprintFiles } from './fingerprint-files.ts';

/** The three networks, in the order in which they run. */
export const networkNames = ['text_encoder', 'unet', 'vae_decoder'] as const;
export type NetworkName = (typeof networkNames)[number];

export interface ModelFolder {
  /** Path of each network's graph; the network's weights may be in separate files. */
  readonly graphs: Readonly<Record<NetworkName, string>>;
  readonly vocabulary: ClipVocabulary;
  readonly schedule: NoiseSchedule;
  /** Scale of the UNet's latents relative to the decoder's latents. */
  readonly scalingFactor: number;
  /** Training resolution in latent pixels; used only if the UNet's graph accepts any size. */
  readonly latentSide: number;
  /** Changes if any file changes that affects the picture. */
  readonly fingerprint: string;
}

/** The defaults are those of SD-Turbo (stabilityai/sd-turbo: scheduler, vae and unet configurations). */
const scheduleSchema = z.object({
  _class_name: z
    .literal('EulerDiscreteScheduler', { error: 'only EulerDiscreteScheduler is supported' })
    .default('EulerDiscreteScheduler'),
  timestep_spacing: z
    .literal('trailing', { error: 'only "trailing" is supported, which few-step models need' })
    .default('trailing'),
  use_karras_sigmas: z.literal(false, { error: 'only false is supported' }).nullish(),
  beta_start: z.number().min(0).max(1).default(0.00085),
  beta_end: z.number().min(0).max(1).default(0.012),
  beta_schedule: z.enum(['linear', 'scaled_linear']).default('scaled_linear'),
  num_train_timesteps: z.int().min(4).max(100_000).default(1000),
  prediction_type: z.enum(['epsilon', 'v_prediction']).default('epsilon'),
});
const decoderSchema = z.object({ scaling_factor: z.number().positive().default(0.18215) });
const unetSchema = z.object({ sample_size: z.int().min(1).max(512).default(64) });

/** A special token: a string in older files, an object in newer ones. */
const specialToken = z.union([
  z.string(),
  z.object({ content: z.string() }).transform(({ content }) => content),
]);
const tokenizerSchema = z.object({
  pad_token: specialToken.nullish(),
  // Some files express "no limit" as an integer beyond the safe range.
  model_max_length: z.number().nullish(),
});
const wholeTokenizerSchema = z.object({
  model: z.object({
    vocab: z.record(z.string(), z.int()),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
});
const vocabularySchema = z.record(z.string(), z.int());

/** CLIP's context length. The position tables of CLIP's text encoders have no more rows. */
const CLIP_LENGTH = 77;
/** The padding token with which OpenCLIP's encoders, including SD-Turbo's, were trained. */
const OPENCLIP_PADDING = '!';

/**
 * Rejects with `internal`; the message names the missing or invalid file. If a file is missing, the cause has the
 * folder's path.
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const files = await listFiles(folder);
  const need = (...names: readonly string[]): string => {
    const found = names.find((name) => files.includes(name));
    if (found !== undefined) return found;
    throw new PackshotError('internal', `The diffusion model's folder has no ${names.join(' or ')}.`, {
      cause: new Error(folder),
    });
  };
  const graph = (name: NetworkName): string => join(folder, need(`${name}/model.onnx`, `${name}.onnx`));
  const decoder = await readConfig(folder, files, ['vae_decoder/config.json'], decoderSchema);
  const unet = await readConfig(folder, files, ['unet/config.json'], unetSchema);
  return {
    graphs: {
      text_encoder: graph('text_encoder'),
      unet: graph('unet'),
      vae_decoder: graph('vae_decoder'),
    },
    vocabulary: await readVocabulary(folder, files, need),
    schedule: await readSchedule(folder, files),
    scalingFactor: decoder.scaling_factor,
    latentSide: unet.sample_size,
    fingerprint: await fingerprintFiles(folder, files.filter(decidesPictures)),
  };
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.map((name) => name.replaceAll('\\', '/')).sort();
  } catch (error) {
    throw new PackshotError('internal', "The diffusion model's folder cannot be read.", { cause: error });
  }
}

async function readSchedule(folder: string, files: readonly string[]): Promise<NoiseSchedule> {
  const names = ['scheduler/scheduler_config.json', 'scheduler_config.json'];
  const read = await readConfig(folder, files, names, scheduleSchema);
  return {
    betaStart: read.beta_start,
    betaEnd: read.beta_end,
    betas: read.beta_schedule,
    trainingSteps: read.num_train_timesteps,
    prediction: read.prediction_type,
  };
}

async function readVocabulary(
  folder: string,
  files: readonly string[],
  need: (...names: readonly string[]) => string,
): Promise<ClipVocabulary> {
  const at = (name: string): string[] => [`tokenizer/${name}`, name];
  const whole = at('tokenizer.json').find((name) => files.includes(name));
  const pieces = at('vocab.json').find((name) => files.includes(name));
  const { vocab, merges } =
    whole !== undefined && pieces === undefined
      ? (await readJson(folder, whole, wholeTokenizerSchema)).model
      : {
          vocab: await readJson(folder, need(...at('vocab.json')), vocabularySchema),
          merges: await readText(folder, need(...at('merges.txt')), splitLines),
        };
  // Older exports also have a special tokens map, whose padding token is preferred. Current exports have only the
  // configuration of the tokenizer.
  const [config, specialTokens] = await Promise.all(
    ['tokenizer_config.json', 'special_tokens_map.json'].map((name) =>
      readConfig(folder, files, at(name), tokenizerSchema),
    ),
  );
  const limit = config!.model_max_length ?? CLIP_LENGTH;
  return {
    ids: new Map(Object.entries(vocab)),
    merges: merges.map((pair) => (typeof pair === 'string' ? pair : pair.join(' '))),
    length: limit >= 3 && limit < CLIP_LENGTH ? Math.floor(limit) : CLIP_LENGTH,
    padding: specialTokens!.pad_token ?? config!.pad_token ?? OPENCLIP_PADDING,
  };
}

async function readConfig<T extends z.ZodType>(
  folder: string,
  files: readonly string[],
  names: readonly string[],
  schema: T,
): Promise<z.output<T>> {
  const found = names.find((name) => files.includes(name));
  return found === undefined ? schema.parse({}) : readJson(folder, found, schema);
}

async function readJson<T extends z.ZodType>(folder: string, name: string, schema: T): Promise<z.output<T>> {
  const parsed = schema.safeParse(await readText(folder, name, JSON.parse));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new PackshotError(
    'internal',
    `The diffusion model's ${name} is not supported. ${lines.join('; ')}.`,
    { cause: parsed.error },
  );
}

async function readText<T>(folder: string, name: string, parse: (text: string) => T): Promise<T> {
  try {
    return parse(await readFile(join(folder, name), 'utf8'));
  } catch (error) {
    throw new PackshotError('internal', `The diffusion model's ${name} is not readable.`, { cause: error });
  }
}

const splitLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#version'));
