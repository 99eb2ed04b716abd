/** Colour maths of the planner: OKLCH to sRGB hex and back, hue angles, distances. */

export interface Oklch {
  /** Lightness, 0 to 1. */
  readonly l: number;
  /** Chroma, 0 to about 0.33 inside sRGB. */
  readonly c: number;
  /** Hue in degrees, 0 to 360; means little below a chroma of 0.02. */
  readonly h: number;
}

type Triple = readonly [number, number, number];

/** IEC 61966-2-1, both 0 to 1. */
const decodeSrgb = (coded: number): number =>
  coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4;
const encodeSrgb = (linear: number): number =>
  linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;

const decodeTable = Float64Array.from({ length: 256 }, (_, level) => decodeSrgb(level / 255));

/** Ottosson 2020, "A perceptual color space for image processing": sRGB levels 0 to 255 to OKLab. */
export function oklabFromRgb(red: number, green: number, blue: number): Triple {
  const r = decodeTable[red]!;
  const g = decodeTable[green]!;
  const b = decodeTable[blue]!;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

export function oklchFromOklab([l, a, b]: Triple): Oklch {
  return { l, c: Math.hypot(a, b), h: wrapHue((Math.atan2(b, a) * 180) / Math.PI) };
}

function oklabFromOklch({ l, c, h }: Oklch): Triple {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

/** Linear light; outside 0 to 1 when sRGB cannot show the colour. Ottosson 2020, the inverse matrices. */
function linearFromOklch(color: Oklch): Triple {
  const [lightness, a, b] = oklabFromOklch(color);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/**
 * Paint is never blacker than 0.004 nor whiter than 0.95 in linear light: light between two perfect mirrors
 * would never end, and a black without depth looks cut out.
 */
const DARKEST = 0.004;
const LIGHTEST = 0.95;

/**
 * The nearest colour that can be painted, same lightness and hue: chroma gives way (CSS Color 4, section 13.2,
 * maps into the gamut along chroma for the same reason: a clipped channel turns the hue).
 */
export function fitToPaint(color: Oklch): Oklch {
  const base = { l: clamp(color.l, 0.17, 0.98), c: Math.max(0, color.c), h: wrapHue(color.h) };
  if (isPaintable(base)) return base;
  let low = 0;
  let high = base.c;
  // 14 halvings of a chroma below 0.4 leave an error under 0.00003, far below one 8-bit level.
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2;
    if (isPaintable({ ...base, c: middle })) low = middle;
    else high = middle;
  }
  return { ...base, c: low };
}

function isPaintable(color: Oklch): boolean {
  return linearFromOklch(color).every((channel) => channel >= DARKEST - 1e-4 && channel <= LIGHTEST + 1e-4);
}

/** `#RRGGBB` of the nearest paint. */
export function hexFromOklch(color: Oklch): string {
  const channels = linearFromOklch(fitToPaint(color)).map((channel) =>
    Math.round(255 * encodeSrgb(clamp(channel, DARKEST, LIGHTEST)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`.toUpperCase();
}

/** Of `#RRGGBB`. */
export function oklchFromHex(hex: string): Oklch {
  const value = Number.parseInt(hex.slice(1), 16);
  return oklchFromOklab(oklabFromRgb(value >> 16, (value >> 8) & 255, value & 255));
}

/** Euclidean in OKLab; 0.02 is just visible side by side, 0.05 is plainly another colour. */
export function colorDistance(one: Oklch, other: Oklch): number {
  const [l, a, b] = oklabFromOklch(one);
  const [l2, a2, b2] = oklabFromOklch(other);
  return Math.hypot(l - l2, a - a2, b - b2);
}

export function wrapHue(degrees: number): number {
  const turned = degrees % 360;
  return turned < 0 ? turned + 360 : turned;
}

/** 0 to 180 degrees, whichever way round is shorter. */
export function hueDistance(one: number, other: number): number {
  const turn = wrapHue(one - other);
  return Math.min(turn, 360 - turn);
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
