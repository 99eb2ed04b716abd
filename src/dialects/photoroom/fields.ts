/** The fields of `POST /v1/segment`: some of remove.bg's, with different defaults, and `despill`. */
import { readColor } from '../../named-color.ts';
import { type BodyFields, describeSent, listSources, readBoolean } from '../body-fields.ts';
import type { CutoutOrder } from '../order.ts';
import { refuse, wrong } from './errors.ts';

const sizes = { preview: 'preview', medium: 'medium', hd: 'hd', full: '36MP' } as const;
const noMargin = { px: 0 } as const;

/** Throws a `DialectRefusal` for the first invalid field. */
export function readSegmentOrder(fields: BodyFields): CutoutOrder {
  const { text } = fields;
  const [source] = listSources(fields, { file: 'image_file', base64: 'image_file_b64' });
  if (!source)
    throw refuse(
      `Please provide an image in the field "image_file". ${describeSent(fields)}`,
      'missing_image',
    );
  const format = pick(text, 'format', ['png', 'jpg', 'webp'], 'png');
  const size = pick(text, 'size', ['preview', 'medium', 'hd', 'full'], 'full');
  const given = text.get('bg_color');
  const color = given === undefined ? undefined : readColor(given);
  if (given !== undefined && !color) throw wrong('bg_color', 'a hex color or a color name');
  // Has no effect, but is refused if invalid: the old background's color is always removed from the product's edge.
  readFlag(text, 'despill');
  const kept = pick(text, 'keepExistingAlphaChannel', ['never', 'auto'], 'never');
  return {
    source,
    size: sizes[size],
    format,
    channels: pick(text, 'channels', ['rgba', 'alpha'], 'rgba'),
    crop: readFlag(text, 'crop') ? [noMargin, noMargin, noMargin, noMargin] : undefined,
    background: color && { color },
    alpha: kept === 'auto' ? 'auto' : 'ignore',
  };
}

function pick<T extends string>(
  text: BodyFields['text'],
  name: string,
  values: readonly T[],
  byDefault: T,
): T {
  const given = (text.get(name) ?? byDefault).toLowerCase().replace('jpeg', 'jpg');
  const found = values.find((value) => value === given);
  if (!found) throw wrong(name, `one of ${values.join(', ')}`);
  return found;
}

function readFlag(text: BodyFields['text'], name: string): boolean {
  const flag = readBoolean(text.get(name) ?? 'false');
  if (flag === undefined) throw wrong(name, 'true or false');
  return flag;
}
