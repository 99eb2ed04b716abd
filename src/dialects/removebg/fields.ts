/** The fields of `POST /v1.0/removebg`, with defaults and validation. */
import { readColor } from '../../named-color.ts';
import {
  type BodyFields,
  describeSent,
  findOwn,
  listSources,
  readBoolean,
  readLength,
  readLengths,
} from '../body-fields.ts';
import type { CutoutOrder, Margins, PictureSource, Region, SizeClass } from '../order.ts';
import { invalid, invalidValue, refuse } from './errors.ts';
import { readShadow, subjects } from './shadow-fields.ts';

const sizes: Readonly<Record<string, SizeClass>> = {
  ...{ preview: 'preview', small: 'preview', regular: 'preview' },
  ...{ medium: 'medium', hd: 'hd', full: 'full', '4k': 'full', '50mp': '50MP', auto: 'auto' },
};
const formats = ['auto', 'png', 'jpg', 'webp', 'zip'] as const;
const channels = ['rgba', 'alpha'] as const;
const levels: Readonly<Record<string, 1 | 2 | undefined>> = { none: undefined, '1': 1, '2': 2, latest: 2 };
const leastScale = 0.1;

/** Throws a `DialectRefusal` for the first invalid field. */
export function readOrder(fields: BodyFields): CutoutOrder {
  const { text } = fields;
  const source = readSource(fields);
  const size = findOwn(sizes, text.get('size') ?? 'preview');
  if (!size) throw invalidValue('size');
  const format = formats.find(
    (name) => name === (text.get('format') ?? 'auto').toLowerCase().replace('jpeg', 'jpg'),
  );
  if (!format) throw invalid('format');
  const channel = channels.find((name) => name === (text.get('channels') ?? 'rgba').toLowerCase());
  if (!channel) throw invalidValue('channels');
  const level = text.get('type_level') ?? '1';
  if (!Object.hasOwn(levels, level)) throw invalid('type_level');
  const scale = readScale(text.get('scale') ?? 'original');
  return {
    source,
    size,
    format,
    channels: channel,
    roi: readRoi(text.get('roi')),
    crop: readFlag(text, 'crop', false) ? readMargins(text.get('crop_margin') ?? '0') : undefined,
    scale,
    position: readPosition(text.get('position') ?? (scale === undefined ? 'original' : 'center')),
    background: readBackground(fields),
    solid: !readFlag(text, 'semitransparency', true),
    shadow: readShadow(text, readFlag(text, 'add_shadow', false)),
    subject: findOwn(subjects, text.get('type') ?? 'auto'),
    level: levels[level],
  };
}

/** Reads the source picture. Throws a `DialectRefusal` unless there is exactly one. */
export function readSource(fields: BodyFields): PictureSource {
  const sources = listSources(fields, { file: 'image_file', base64: 'image_file_b64', url: 'image_url' });
  const [source] = sources;
  if (!source)
    throw refuse(
      'missing_source',
      'No image given',
      `Please provide the source image in the image_url, image_file or image_file_b64 parameter. ${describeSent(fields)}`,
    );
  if (sources.length > 1)
    throw refuse(
      'multiple_sources',
      'Multiple image sources given: Please provide either the image_url, image_file or image_file_b64 parameter.',
    );
  if ('url' in source && !isWebUrl(source.url))
    throw refuse('invalid_image_url', 'Invalid image_url: Please provide a valid URL.');
  return source;
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

function readFlag(text: BodyFields['text'], name: string, byDefault: boolean): boolean {
  const given = text.get(name);
  const flag = given === undefined ? byDefault : readBoolean(given);
  if (flag === undefined) throw invalid(name);
  return flag;
}

function readRoi(given: string | undefined): Region | undefined {
  if (given === undefined) return undefined;
  const lengths = readLengths(given);
  if (lengths?.length !== 4) throw invalid('roi');
  const [left, top, right, bottom] = lengths as Region;
  const isWhole =
    [left, top].every(isZero) && [right, bottom].every((end) => 'share' in end && end.share === 1);
  return isWhole ? undefined : [left, top, right, bottom];
}

const isZero = (length: Region[number]): boolean => ('px' in length ? length.px : length.share) === 0;

/** As in CSS: one value for all sides; two for top/bottom and left/right; or four, clockwise from the top. */
function readMargins(given: string): Margins {
  const lengths = readLengths(given);
  // A margin above the maximum is reduced to it later.
  const fits = lengths?.every((length) => ('px' in length ? length.px : length.share) >= 0);
  if (!lengths || !fits || ![1, 2, 4].includes(lengths.length)) throw invalid('crop_margin');
  const [top, right = top, bottom = top, left = right] = lengths as Margins;
  return [top, right, bottom, left];
}

function readScale(given: string): number | undefined {
  if (given.toLowerCase() === 'original') return undefined;
  const length = readLength(given);
  if (!length || !('share' in length) || length.share < leastScale || length.share > 1)
    throw invalid('scale');
  return length.share;
}

function readPosition(given: string): CutoutOrder['position'] {
  if (given.toLowerCase() === 'original') return undefined;
  if (given.toLowerCase() === 'center') return { x: 0.5, y: 0.5 };
  const shares = readLengths(given)?.map((length) => {
    if ('share' in length) return length.share;
    return length.px === 0 ? 0 : Number.NaN;
  });
  const [x = Number.NaN, y = x] = shares ?? [];
  if (!shares || shares.length > 2 || ![x, y].every((share) => share >= 0 && share <= 1))
    throw invalid('position');
  return { x, y };
}

function readBackground(fields: BodyFields): CutoutOrder['background'] {
  const given = fields.text.get('bg_color');
  const pictures = listSources(fields, { file: 'bg_image_file', url: 'bg_image_url' });
  if (pictures.length + Number(given !== undefined) > 1)
    throw refuse(
      'multiple_bg_sources',
      'Multiple background sources given: Please provide either the bg_color, the bg_image_url or the bg_image_file parameter.',
    );
  const [picture] = pictures;
  if (picture && 'url' in picture && !isWebUrl(picture.url))
    throw refuse('invalid_bg_image_url', 'Invalid bg_image_url: Please provide a valid URL.');
  if (picture) return { picture };
  if (given === undefined) return undefined;
  const color = readColor(given);
  if (!color) throw invalid('bg_color');
  return { color };
}
