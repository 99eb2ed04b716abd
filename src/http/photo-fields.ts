/** Fields of the design that a photo becomes: of uploads, as JSON or as text in a form, and of batch items. */
import { cutoutWishes } from 'packshot-cutout/service';
import { alphaWishes } from 'packshot-photos';
import { z } from 'zod';
import { optional } from '../optional.ts';
import { fieldError } from './field-errors.ts';

/**
 * A project's name is a segment of its path. There, browsers resolve `.` and `..`, and characters without UTF-8 cannot be
 * written.
 */
const isProjectName = (name: string): boolean => /^[^\p{Cc}\p{Cs}]+$/u.test(name) && !/^\.{1,2}$/.test(name);

export const projectField = z
  .string()
  .normalize()
  .trim()
  .min(1)
  .max(100)
  .refine(isProjectName, 'A project has a name of printable characters, other than `.` and `..`.');

export const productKindField = optional(
  z.string().max(100),
  'What the product is, such as `shoes` or `Health & Beauty`.',
);

export const photoFields = {
  cutout: optional(
    z.enum(cutoutWishes),
    '`none`: every recipe shows the photo as it is. Default: `auto`, the product is cut out.',
  ),
  alpha: optional(
    z.enum(alphaWishes),
    "The photo's own transparency. `auto` (default): it is the cutout, unless it only shapes the picture, such as rounded corners. `ignore`: the photo is cut out like any other. `keep`: it is the cutout. What it hides stays hidden.",
  ),
  project: projectField
    .optional()
    .describe('Name of the project to which the design belongs; projects are listed and deleted as a whole.'),
};

const schema = z.object(photoFields);

/** Throws `invalid_field`. */
export function readPhotoFields(fields: ReadonlyMap<string, string>): z.output<typeof schema> {
  const sent = Object.fromEntries(Object.keys(photoFields).map((name) => [name, fields.get(name)]));
  const { data, error } = schema.safeParse(sent);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  throw fieldError(`/${path.join('/')}`, message);
}
