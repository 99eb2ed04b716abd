/** Color math of the planner: OKLCH to sRGB hex and back, hue angles, distances. */
import { clamp, encodeSrgb, linearFromOklab, oklabFromRgb, parseHexColor, type Rgb } from 'packshot-pixels';

export interface Oklch {
  /** Lightness, 0 to 1. */
  readonly l: number;
  /** Chroma, 0 to about 0.33 inside sRGB. */
  readonly c: number;
  /** Hue in degrees, 0 to 360; unreliable below a chroma of 0.02. */
  readonly h: number;
}

export function oklchFromOklab([l, a, b]: Rgb): Oklch {
  return { l, c: Math.hypot(a, b), h: wrapHue((Math.atan2(b, a) * 180) / Math.PI) };
}

function oklabFromOklch({ l, c, h }: Oklch): Rgb {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

/** Linear sRGB. A channel is outside 0 to 1 if the color is outside the sRGB gamut. */
function linearFromOklch(color: Oklch): Rgb {
  return linearFromOklab(oklabFromOklch(color));
}

/**
 * Limits of a paint's linear reflectance. Pure black would look like a hole in the picture, and light would
 * bounce forever between two perfect reflectors.
 */
const DARKEST = 0.004;
const LIGHTEST = 0.95;

/**
 * Limits the lightness to 0.17 to 0.98, then reduces the chroma until the color is paintable, like the gamut mapping of
 * CSS Color 4, section 13.2. The hue stays the same; clipping the channels instead would shift it.
 */
export function fitToPaint(color: Oklch): Oklch {
  const base = { l: clamp(color.l, 0.17, 0.98), c: Math.max(0, color.c), h: wrapHue(color.h) };
  if (isPaintable(base)) return base;
  let low = 0;
  let high = base.c;
  // 14 bisections of a chroma below 0.4 leave an error under 0.00003, far below one 8-bit level.
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

/** Returns `#RRGGBB` of the nearest paintable color. */
export function hexFromOklch(color: Oklch): string {
  const channels = linearFromOklch(fitToPaint(color)).map((channel) =>
    Math.round(255 * encodeSrgb(clamp(channel, DARKEST, LIGHTEST)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`.toUpperCase();
}

/** Parses `#RRGGBB`. */
export function oklchFromHex(hex: string): Oklch {
  return oklchFromOklab(oklabFromRgb(...parseHexColor(hex)));
}

/** Euclidean distance in OKLab. Side by side, 0.02 is just visible; at 0.05, the colors clearly differ. */
export function colorDistance(one: Oklch, other: Oklch): number {
  const [l, a, b] = oklabFromOklch(one);
  const [l2, a2, b2] = oklabFromOklch(other);
  return Math.hypot(l - l2, a - a2, b - b2);
}

export function wrapHue(degrees: number): number {
  const turned = degrees % 360;
  return turned < 0 ? turned + 360 : turned;
}

/** 0 to 180 degrees, along the shorter arc. */
export function hueDistance(one: number, other: number): number {
  const turn = wrapHue(one - other);
  return Math.min(turn, 360 - turn);
}
