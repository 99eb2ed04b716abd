/** Reads and validates the description beside a model file: the network's input and output, its source and license. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';

/** Largest side of a network's input: a 4096² float input of three planes is 200 MB. */
const MAX_SIDE_PX = 4096;
/** Maximum size of the file. A description has a few hundred bytes, so a larger file is something else. */
const MAX_BYTES = 65_536;

const side = z
  .int()
  .min(16, { error: 'needs at least 16 px' })
  .max(MAX_SIDE_PX, { error: `allows at most ${MAX_SIDE_PX} px` });
const triple = <T extends z.ZodType>(value: T) => z.tuple([value, value, value]);
const only = <T extends string>(value: T) =>
  z.literal(value, { error: `must be "${value}" or absent` }).default(value);
const inUnits = (low: number, name: string) =>
  z
    .number()
    .min(low)
    .max(1, {
      error: `uses the range 0 to 1: divide by 255 if your ${name} is meant for values from 0 to 255`,
    });

/**
 * Input of variable size. It has the photo's aspect ratio, except that each side is rounded to a multiple of
 * `multipleOf` and limited to the range from `min` to `max`, in pixels.
 */
const dynamicSchema = z
  .strictObject({
    multipleOf: z.int().min(1).max(256),
    min: side,
    max: side,
    /** Photos with more pixels are shrunk to this number. Default: only `max` applies. */
    maxPixels: z
      .int()
      .min(256)
      .max(MAX_SIDE_PX ** 2)
      .optional(),
  })
  .refine(({ multipleOf, min, max }) => min % multipleOf === 0 && max % multipleOf === 0 && min <= max, {
    error: 'needs "min" and "max" that are multiples of "multipleOf", and "min" no larger than "max"',
  });

const inputSchema = z
  .strictObject({
    /** The input's name in the graph; default: its only input. */
    name: z.string().min(1).optional(),
    width: side.optional(),
    height: side.optional(),
    /** Replaces `width` and `height`. */
    dynamic: dynamicSchema.optional(),
    mean: triple(inUnits(0, 'mean')),
    std: triple(inUnits(0.001, 'std')),
    // Descriptions that were written when there was a choice contain these, and a model's version depends on them.
    layout: only('nchw'),
    colorOrder: only('rgb'),
    fit: only('stretch'),
  })
  .refine(
    ({ width, height, dynamic }) =>
      dynamic ? width === undefined && height === undefined : width !== undefined && height !== undefined,
    { error: 'needs "width" and "height", or "dynamic" instead' },
  );

const outputSchema = z
  .strictObject({
    name: z.string().min(1).optional(),
    /** Index among the graph's outputs; default 0 if `name` is not set either. */
    index: z.int().min(0).max(99).optional(),
    activation: z.enum(['none', 'sigmoid', 'softmax']),
    /** The product's channel, if there are several. */
    channel: z.int().min(0).max(999).optional(),
    /** `minmax` stretches each output from its minimum and maximum to 0 and 1. */
    range: z.enum(['none', 'minmax']).default('none'),
  })
  .refine(({ name, index }) => name === undefined || index === undefined, {
    error: 'accepts a name or an index, not both',
  })
  .refine(({ activation, channel }) => activation !== 'softmax' || channel !== undefined, {
    error: 'softmax needs "channel": the index of the product\'s channel',
  });

export const modelDescriptionSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
    error:
      'may contain only lowercase letters, digits, ".", "_" and "-", must start with a letter or digit, and has at most 64 characters',
  }),
  /** The network sees `(value / 255 - mean) / std` of each channel. */
  input: inputSchema,
  output: outputSchema,
  licence: z.string().min(1, { error: 'needs the license, or "unknown"' }),
  source: z.string().min(1, { error: 'needs the source of the file' }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, {
    error: 'needs the 64 hex digits that `sha256sum` prints for the model file',
  }),
});

export type ModelDescription = z.infer<typeof modelDescriptionSchema>;

/** `/path/model.onnx` is described by `/path/model.json`. */
export function descriptionPathOf(modelFile: string): string {
  return modelFile.replace(/\.onnx$/i, '').concat('.json');
}

/**
 * Rejects with `internal` if the description is missing or invalid. The error's message names each invalid field, and
 * the error's cause contains the file's path.
 */
export async function readModelDescription(modelFile: string): Promise<ModelDescription> {
  const path = descriptionPathOf(modelFile);
  let value: unknown;
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_BYTES) throw new Error(`it has ${bytes.length} bytes, more than ${MAX_BYTES}`);
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new PackshotError(
      'internal',
      'The removal model has no readable description: it needs a JSON file with the same name beside it (docs/engines.md).',
      { cause: new Error(`${path}: ${error instanceof Error ? error.message : error}`) },
    );
  }
  return parseModelDescription(value, path);
}

/** `origin` tells where `value` comes from; it becomes the cause of the error. */
export function parseModelDescription(value: unknown, origin: string): ModelDescription {
  const parsed = modelDescriptionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new PackshotError(
    'internal',
    `The description of the removal model is invalid. ${lines.join('; ')}.`,
    {
      cause: new Error(origin),
    },
  );
}

/**
 * Returns the first 8 hex digits of a hash of `input` and `output`, which say how the model is run. The model's weights
 * are identified by `cacheNameOf` instead; name, license and source do not affect a matte.
 */
export function hashDescription({ input, output }: ModelDescription): string {
  // Parsed objects have their keys in the schema's order, whatever the order in the file.
  return createHash('sha256').update(JSON.stringify({ input, output })).digest('hex').slice(0, 8);
}

/** Prefix of the names of the model's optimized copies. */
export function cacheNameOf({ sha256 }: ModelDescription): string {
  return `onnx-${sha256.slice(0, 12)}`;
}
