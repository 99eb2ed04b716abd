/**
 * `models/available.json`: models that can be installed by name, and the inputs and outputs of known network families.
 */
import { z } from 'zod';
import list from '../../../../models/available.json' with { type: 'json' };
import { modelDescriptionSchema } from '../engines/onnx-description.ts';

const { name, input, output, licence } = modelDescriptionSchema.shape;
const page = z.url({ protocol: /^https$/ });

const familySchema = z.strictObject({
  input,
  output,
  /**
   * License of the weights as stated by their authors. Not legal advice: operators must check the license themselves.
   */
  licence,
  source: page,
  /** Where the size, mean, std and range were taken from. */
  from: z.string(),
  /** What we could not confirm; printed when the family is installed. */
  uncertain: z.string().optional(),
});

const modelSchema = z.strictObject({
  name,
  /** Key of `families`. */
  family: z.string(),
  url: page,
  /** Size of the file; absent if neither its publisher nor its users state it. */
  bytes: z.int().positive().optional(),
  /** Absent if the publisher states none; then the first download is trusted, and its checksum is kept. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  licence,
  licenceUrl: page,
  /** One line: what to use it for. */
  when: z.string(),
  /** One line: time and memory, or that they are unknown. */
  cost: z.string(),
});

export type ModelFamily = z.output<typeof familySchema>;
export type ListedModel = z.output<typeof modelSchema>;

const parsed = z
  .strictObject({ families: z.record(z.string(), familySchema), models: z.array(modelSchema) })
  .parse(list);

export const modelFamilies: Readonly<Record<string, ModelFamily>> = parsed.families;
export const listedModels: readonly ListedModel[] = parsed.models;

export const findListed = (wanted: string): ListedModel | undefined =>
  listedModels.find((model) => model.name === wanted);

export const isListed = (wanted: string): boolean => findListed(wanted) !== undefined;
