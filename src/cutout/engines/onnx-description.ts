/** The description beside a model file: what goes into the network, what comes out, whose it is. Read and judged here. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PackshotError } from '../../errors.ts';

/** Largest side of a network's input: a 4096² float input of three planes is 200 MB. */
const MAX_SIDE_PX = 4096;
/** A description is some hundred bytes; what is larger is another kind of file. */
const MAX_BYTES = 65_536;

const side = z
  .int()
  .min(16, { error: 'needs at least 16 px' })
  .max(MAX_SIDE_PX, { error: `allows at most ${MAX_SIDE_PX} px` });
const triple = <T extends z.ZodType>(value: T) => z.tuple([value, value, value]);
const inUnits = (low: number, name: string) =>
  z
    .number()
    .min(low)
    .max(1, {
      error: `is in units of 0 to 1: divide by 255 if your ${name} is meant for values from 0 to 255`,
    });

/** Input of any size: each side a multiple, the photo's aspect ratio kept to within one step. */
const dynamicSchema = z
  .strictObject({
    multipleOf: z.int().min(1).max(256),
    min: side,
    max: side,
    /** Larger photos are fed smaller. Default: no limit but `max`. */
    maxPixels: z
      .int()
      .min(256)
      .max(MAX_SIDE_PX ** 2)
      .optional(),
  })
  .refine(({ multipleOf, min, max }) => min % multipleOf === 0 && max % multipleOf === 0 && min <= max, {
    error: 'needs min and max that are multiples of multipleOf, and min no larger than max',
  });

const inputSchema = z
  .strictObject({
    /** The graph's own name for it; its only input where left out. */
    name: z.string().min(1).optional(),
    width: side.optional(),
    height: side.optional(),
    /** In place of `width` and `height`. */
    dynamic: dynamicSchema.optional(),
    /** In the order of the channels as they are fed: blue first where `colorOrder` is `bgr`. */
    mean: triple(inUnits(0, 'mean')),
    std: triple(inUnits(0.001, 'std')),
    layout: z.enum(['nchw', 'nhwc']).default('nchw'),
    colorOrder: z.enum(['rgb', 'bgr']).default('rgb'),
    /** `letterbox` keeps the ratio and continues the photo's rim into the bars. */
    fit: z.enum(['stretch', 'letterbox']).default('stretch'),
  })
  .refine(
    ({ width, height, dynamic }) =>
      dynamic ? width === undefined && height === undefined : width !== undefined && height !== undefined,
    { error: 'needs width and height, or dynamic in their place' },
  );

const outputSchema = z
  .strictObject({
    name: z.string().min(1).optional(),
    /** Place among the graph's outputs, the first one where neither is told. */
    index: z.int().min(0).max(99).optional(),
    activation: z.enum(['none', 'sigmoid', 'softmax']),
    /** Which channel is the product, where there are several. */
    channel: z.int().min(0).max(999).optional(),
    /** `minmax` stretches each answer from its least to its greatest value. */
    range: z.enum(['none', 'minmax']).default('none'),
  })
  .refine(({ name, index }) => name === undefined || index === undefined, {
    error: 'takes a name or an index, not both',
  })
  .refine(({ activation, channel }) => activation !== 'softmax' || channel !== undefined, {
    error: 'needs "channel" with softmax: which of its channels is the product',
  });

export const modelDescriptionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'needs lower case letters, digits, ".", "_" and "-"' }),
  /** The network sees `(value / 255 - mean) / std` of each channel; a `uint8` input sees the value itself. */
  input: inputSchema,
  output: outputSchema,
  licence: z.string().min(1, { error: 'needs a word on the license, "unknown" if need be' }),
  source: z.string().min(1, { error: 'needs the place that the file comes from' }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, {
    error: 'needs the 64 hex digits that `sha256sum` prints for the model file',
  }),
});

export type ModelDescription = z.infer<typeof modelDescriptionSchema>;

/** `/path/model.onnx` is described by `/path/model.json`. */
export function descriptionPathOf(modelFile: string): string {
  return modelFile.replace(/\.onnx$/i, '').concat('.json');
}

/** Rejects with `internal`, with a line in its message for each field that does not fit; the path is in the cause. */
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
      'The removal model has no readable description: a JSON file with the name of the model file stands beside it (docs/engines.md).',
      { cause: new Error(`${path}: ${error instanceof Error ? error.message : error}`) },
    );
  }
  return parseModelDescription(value, path);
}

/** `origin` names the text in the cause of a refusal. */
export function parseModelDescription(value: unknown, origin: string): ModelDescription {
  const parsed = modelDescriptionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new PackshotError(
    'internal',
    `The description of the removal model does not fit. ${lines.join('; ')}.`,
    {
      cause: new Error(origin),
    },
  );
}

/** The first 8 hex digits over all that changes a matte; names, licence and source do not. */
export function hashDescription({ input, output }: ModelDescription): string {
  // Parsed objects have their keys in the schema's order, whatever the order in the file.
  return createHash('sha256').update(JSON.stringify({ input, output })).digest('hex').slice(0, 8);
}

/** Begins the names of the model's optimised copies. */
export function cacheNameOf({ sha256 }: ModelDescription): string {
  return `onnx-${sha256.slice(0, 12)}`;
}
