/** The fields of `POST /v1/remove-background`, read from the form or the query. */
import { type BodyFields, describeSent, findPhoto } from '../body-fields.ts';
import type { CutoutOrder } from '../order.ts';
import { refuse } from '../rembg/errors.ts';

const outputs = ['image', 'matte'];

/** Throws a `DialectRefusal`. */
export function readBackgroundOrder(fields: BodyFields, query: ReadonlyMap<string, string>): CutoutOrder {
  const { text, files } = fields;
  const photo = findPhoto(fields, 'image');
  if (!photo)
    throw refuse(`Send the photo as the body, or in a form field named "image". ${describeSent(fields)}`);
  const output = text.get('output') ?? query.get('output') ?? 'image';
  if (!outputs.includes(output)) throw refuse(`"output" is one of ${outputs.join(', ')}.`);
  const [keep, remove] = ['keep_mask', 'remove_mask'].map((name) => files.get(name)?.bytes);
  return {
    source: { bytes: photo.bytes, fileName: photo.name },
    size: 'photo',
    format: 'png',
    channels: output === 'matte' ? 'alpha' : 'rgba',
    masks: keep || remove ? { keep, remove } : undefined,
  };
}
