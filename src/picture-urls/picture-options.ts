/**
 * The options in the path of a picture's URL, such as `ar_4x5-w_800-q_82`. Names follow imgproxy and ipx where these
 * have one (`w`, `h`, `q`, `bg`, `rot`, `dpr`, `exp`). Only characters that no encoder changes are used: RFC 3986 calls
 * them unreserved. In particular no comma, which separates the URLs of one cell in the CSV files of shops.
 */
import { PackshotError } from 'packshot-errors';
import { type Variant, variants } from 'packshot-pixels';
import type { Mutations } from '../recipes/mutations.ts';
import { FULL_EDGE_PX } from '../rendering/render-target.ts';

export interface PictureOptions {
  readonly ar?: Variant;
  /** Width and height of the picture in CSS pixels, before `dpr`; the picture fits inside and keeps its ratio. */
  readonly w?: number;
  readonly h?: number;
  readonly q?: number;
  readonly margin?: number;
  readonly align?: 'center' | 'baseline';
  readonly scale?: number;
  readonly x?: number;
  readonly y?: number;
  readonly rot?: number;
  readonly shadow?: 'none' | 'contact' | 'cast';
  readonly strength?: number;
  readonly soft?: number;
  readonly dir?: number;
  /** `#rrggbb` in lower case. */
  readonly bg?: string;
  readonly shrink?: number;
  readonly match?: 'none' | 'light';
  readonly dpr?: number;
  /** Expiry, in seconds since 1970. */
  readonly exp?: number;
}

/** File name without options. */
const NO_OPTIONS = 'picture';

interface Codec {
  /** What the value must be, for an error message. */
  readonly form: string;
  /** Returns undefined if `text` is not the one spelling of a valid value. */
  read(text: string): unknown;
  write(value: never): string;
}

function number(min: number, max: number, { whole = false } = {}): Codec {
  return {
    form: `${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`,
    read(text) {
      const value = Number(text);
      const isValid = value >= min && value <= max && (!whole || Number.isInteger(value));
      return isValid && String(value) === text ? value : undefined;
    },
    write: (value: number) => String(value),
  };
}

const oneOf = (...words: readonly string[]): Codec => ({
  form: words.join(' or '),
  read: (text) => (words.includes(text) ? text : undefined),
  write: (value: string) => value,
});

const ratio: Codec = {
  form: `one of ${variants.map((variant) => variant.replace(':', 'x')).join(', ')}`,
  read: (text) => variants.find((variant) => variant.replace(':', 'x') === text),
  write: (variant: Variant) => variant.replace(':', 'x'),
};

const color: Codec = {
  form: 'a color as rrggbb in lower case',
  read: (text) => (/^[0-9a-f]{6}$/.test(text) ? `#${text}` : undefined),
  write: (value: string) => value.slice(1).toLowerCase(),
};

/** In the canonical order. */
const codecs: { readonly [Name in keyof Required<PictureOptions>]: Codec } = {
  ar: ratio,
  w: number(16, FULL_EDGE_PX, { whole: true }),
  h: number(16, FULL_EDGE_PX, { whole: true }),
  q: number(1, 100, { whole: true }),
  margin: number(0, 0.4),
  align: oneOf('center', 'baseline'),
  scale: number(0.1, 1),
  x: number(0, 1),
  y: number(0, 1),
  rot: number(-180, 180),
  shadow: oneOf('none', 'contact', 'cast'),
  strength: number(0, 1),
  soft: number(0, 1),
  dir: number(-180, 180),
  bg: color,
  shrink: number(0, 4),
  match: oneOf('none', 'light'),
  dpr: number(1, 4),
  exp: number(1, 999_999_999_999, { whole: true }),
};
const names = Object.keys(codecs) as (keyof PictureOptions)[];

/** `options` must be valid. */
export function writeOptions(options: PictureOptions): string {
  const parts = names
    .filter((name) => options[name] !== undefined)
    .map((name) => `${name}_${codecs[name].write(options[name] as never)}`);
  return parts.join('-') || NO_OPTIONS;
}

/** Throws `invalid_field`, and names the option. */
export function readOptions(text: string): PictureOptions {
  if (text === NO_OPTIONS) return {};
  const options: Partial<Record<keyof PictureOptions, unknown>> = {};
  // A minus sign belongs to a number; before a name, it separates.
  for (const part of text.split(/-(?=[a-z])/)) {
    const [, name = part, value = ''] = /^([a-z]+)_(.*)$/.exec(part) ?? [];
    const known = names.find((each) => each === name);
    if (!known) throw refuse(`"${shorten(name)}" is no option. Options: ${names.join(', ')}.`);
    if (options[known] !== undefined) throw refuse(`The option "${known}" occurs twice.`);
    const read = codecs[known].read(value);
    if (read === undefined) throw refuse(`The option "${known}" must be ${codecs[known].form}.`);
    options[known] = read;
  }
  const canonical = writeOptions(options as PictureOptions);
  if (canonical !== text) throw refuse(`The options must be in this order: ${canonical}.`);
  return options as PictureOptions;
}

/** Options that give the same picture as these mutations. */
export function optionsOf({
  layout,
  shadow,
  background,
  edge,
  match,
}: Omit<Mutations, 'images'>): PictureOptions {
  const { rotate, ...place } = layout ?? {};
  const options = {
    ...place,
    rot: rotate,
    shadow: shadow?.kind,
    strength: shadow?.strength,
    soft: shadow?.softness,
    dir: shadow?.direction,
    bg: background?.color?.toLowerCase(),
    shrink: edge?.shrinkPx,
    match,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The inverse of `optionsOf`. */
export function mutationsOf(options: PictureOptions): Mutations {
  const { margin, align, scale, x, y, rot, shadow, strength, soft, dir, bg, shrink, match } = options;
  const sections = {
    layout: { margin, align, scale, x, y, rotate: rot },
    shadow: { kind: shadow, strength, softness: soft, direction: dir },
    background: { color: bg },
    edge: { shrinkPx: shrink },
  };
  const used = Object.entries(sections).flatMap(([name, section]) => {
    const given = Object.entries(section).filter(([, value]) => value !== undefined);
    return given.length > 0 ? [[name, Object.fromEntries(given)]] : [];
  });
  return { ...Object.fromEntries(used), ...(match && { match }) };
}

/** Longer side of the picture in pixels, or undefined for that of a full version. */
export function longEdgeOf({ w, h, dpr = 1 }: PictureOptions, variant: Variant): number | undefined {
  if (w === undefined && h === undefined) return undefined;
  const [across, down] = variant.split(':').map(Number) as [number, number];
  const scale = Math.min((w ?? Number.POSITIVE_INFINITY) / across, (h ?? Number.POSITIVE_INFINITY) / down);
  return Math.min(FULL_EDGE_PX, Math.max(1, Math.round(scale * Math.max(across, down) * dpr)));
}

const refuse = (detail: string) => new PackshotError('invalid_field', detail);
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
