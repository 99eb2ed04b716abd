/** The fields of `/v2/edit` that lay out a cutout. Fields that would need another kind of work are refused by name. */
import { readColor } from '../../named-color.ts';
import {
  type BodyFields,
  describeSent,
  listSources,
  photoNames,
  readBoolean,
  readLength,
} from '../body-fields.ts';
import type { CutoutOrder, Frame, Length, OutputFormat, Shadow, ShadowType } from '../order.ts';
import { refuse, wrong } from './errors.ts';

const formats: Readonly<Record<string, OutputFormat>> = {
  ...{ png: 'png', jpg: 'jpg', jpeg: 'jpg', webp: 'webp', avif: 'avif' },
};
const shadows: Readonly<Record<string, ShadowType>> = { 'ai.soft': 'drop', 'ai.hard': '3D' };
const columns = { left: 0, center: 0.5, right: 1 };
const rows = { top: 0, center: 0.5, bottom: 1 };
const scalings = { fit: false, fill: true };
const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;
const borders = ['padding', 'margin'] as const;
const mostBorder = 0.49;
/** The maximum size of a picture of the basic interface. */
const mostPixels = 36e6;
const files = [...photoNames, 'background.imageFile'];
const known = [
  ...['imageUrl', 'removeBackground', 'keepExistingAlphaChannel', 'background.color', 'background.imageUrl'],
  ...['background.scaling', 'outputSize', 'scaling', 'horizontalAlignment', 'verticalAlignment'],
  ...['referenceBox', 'shadow.mode', 'export.format', 'export.dpi', 'export.quality'],
  ...borders.flatMap((name) => [name, ...sides.map((side) => `${name}${side}`)]),
];

/** Throws a `DialectRefusal` for the first invalid field. */
export function readEditOrder(fields: BodyFields): CutoutOrder {
  const { text } = fields;
  const odd = [
    ...[...text.keys()].filter((name) => !known.includes(name)),
    ...[...fields.files.keys()].filter((name) => !files.includes(name)),
  ][0];
  if (odd !== undefined)
    throw refuse(`"${odd.slice(0, 50)}" is not supported here. Supported: ${known.join(', ')}.`);
  const sources = listSources(fields, { file: 'imageFile', url: 'imageUrl' });
  const [source] = sources;
  if (!source || sources.length > 1)
    throw refuse(`Please provide either imageFile or imageUrl. ${describeSent(fields)}`);
  // Other values of these fields mean another kind of work, which must not be left out silently.
  for (const [name, only] of Object.entries({
    referenceBox: 'subjectBox',
    'background.scaling': 'fill',
  })) {
    if ((text.get(name) ?? only) !== only) throw wrong(name, `"${only}"; nothing else is supported here`);
  }
  const size = text.get('outputSize') ?? 'auto';
  const frame = readFrame(text, size);
  const isCut = readBoolean(text.get('removeBackground') ?? 'true');
  if (isCut === undefined) throw wrong('removeBackground', 'true or false');
  const shadow = readShadow(text);
  return {
    source,
    size: '36MP',
    format: pick(text, 'export.format', formats, 'png'),
    channels: 'rgba',
    ...(size === 'croppedSubject' ? { crop: toMargins(frame) } : { frame }),
    background: readBackground(fields),
    // The shadow of a whole photo would be that of a rectangle.
    shadow: isCut ? shadow : undefined,
    alpha: pick(text, 'keepExistingAlphaChannel', { never: 'ignore', auto: 'auto' }, 'never'),
    cutout: isCut ? 'auto' : 'none',
    dpi: readNumber(text, 'export.dpi', 72, 1200),
    quality: readNumber(text, 'export.quality', 1, 100),
  };
}

type Text = BodyFields['text'];

function readFrame(text: Text, size: string): Frame {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(size) ?? [];
  const canvas = width && height ? { width: Number(width), height: Number(height) } : undefined;
  const isSize = canvas && canvas.width * canvas.height > 0 && canvas.width * canvas.height <= mostPixels;
  if (!isSize && !['auto', 'originalImage', 'croppedSubject'].includes(size))
    throw wrong('outputSize', 'auto, originalImage, croppedSubject, or WIDTHxHEIGHT of up to 36 megapixels');
  const [top, right, bottom, left] = sides.map((side) =>
    borders.map((name) => readBorder(text, `${name}${side}`) ?? readBorder(text, name) ?? { px: 0 }),
  ) as [Length[], Length[], Length[], Length[]];
  return {
    canvas,
    borders: [top, right, bottom, left],
    fills: pick(text, 'scaling', scalings, 'fit'),
    align: {
      x: pick(text, 'horizontalAlignment', columns, 'center'),
      y: pick(text, 'verticalAlignment', rows, 'center'),
    },
  };
}

/** Around a picture that is as large as the subject, of padding and margin, the larger one counts. */
const toMargins = ({ borders: all }: Frame) =>
  all.map(
    (lengths) => lengths.toSorted((one, other) => amountOf(other) - amountOf(one))[0]!,
  ) as unknown as NonNullable<CutoutOrder['crop']>;
const amountOf = (length: Length): number => ('px' in length ? length.px : length.share);

function readBorder(text: Text, name: string): Length | undefined {
  const given = text.get(name);
  if (given === undefined) return undefined;
  const length = /^0?\.\d+$/.test(given) ? { share: Number(given) } : readLength(given);
  if (!length || amountOf(length) < 0 || ('share' in length && length.share > mostBorder))
    throw wrong(name, `0 to ${mostBorder}, such as 0.1, 10% or 100px`);
  return length;
}

function readBackground(fields: BodyFields): CutoutOrder['background'] {
  const pictures = listSources(fields, { file: 'background.imageFile', url: 'background.imageUrl' });
  const given = fields.text.get('background.color');
  const color = given === undefined ? undefined : readColor(given);
  if (given !== undefined && !color) throw wrong('background.color', 'a hex color or a color name');
  if (pictures.length > 1 || (pictures.length === 1 && color && color[3] > 0))
    throw refuse('Please provide only one background.');
  const [picture] = pictures;
  if (picture) return { picture };
  return color && color[3] > 0 ? { color } : undefined;
}

function readShadow(text: Text): Shadow | undefined {
  const given = text.get('shadow.mode');
  if (given === undefined) return undefined;
  return { type: { all: pick(text, 'shadow.mode', shadows, 'ai.soft') }, opacity: { all: 'auto' } };
}

function pick<T>(text: Text, name: string, values: Readonly<Record<string, T>>, byDefault: string): T {
  const given = text.get(name) ?? byDefault;
  if (!Object.hasOwn(values, given)) throw wrong(name, `one of ${Object.keys(values).join(', ')}`);
  return values[given]!;
}

function readNumber(text: Text, name: string, least: number, most: number): number | undefined {
  const given = text.get(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!(number >= least && number <= most)) throw wrong(name, `a number from ${least} to ${most}`);
  return Math.round(number);
}
