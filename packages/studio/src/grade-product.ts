/**
 * Step, on request only: grades the product's pixels to the light of its set. Changes overall exposure and white
 * balance, and adds the light's pattern. The changes are smooth and bounded, so that print stays legible and colors
 * stay recognizable.
 */
import {
  clamp,
  encodeSrgb255,
  linearLevels,
  luminanceOf,
  oklabFromLinear,
  type Rgb,
  type RgbaImage,
} from 'packshot-pixels';
import { hashInteger } from './noise.ts';
import type { ProductLight } from './product-light.ts';
import { measureWhite } from './product-white.ts';
import type { Tone } from './studio-scene.ts';
import { toneRow } from './tone.ts';

/** Limits of the gain on linear light, per channel and pixel. */
export const gainLimits = [0.6, 1.35] as const;
/**
 * Limit of the exposure change, in stops, and the fraction of the exposure difference between photo and set that is
 * corrected.
 */
const MAX_STOPS = 0.35;
const EXPOSURE_SHARE = 0.6;
/**
 * Luminance, relative to white, of the white parts of a well-lit product; also assumed for a product without white
 * parts.
 */
const USUAL_WHITE = 0.62;
/** Fraction of the color difference between the set's light and the photo's light that is corrected. */
const BALANCE_SHARE = 0.6;
/**
 * The same fraction where the set's light is cooler than the photo's. It is smaller, because cream is often the
 * product's own color, and looks dirty when cooled.
 */
const COOLING_SHARE = 0.3;
/** Limit of the mean color change by white balance, in OKLab distance. Side by side, 0.02 is just visible. */
export const MAX_SHIFT = 0.06;
/**
 * Strengths with which the light's pattern changes the product's brightness (`PATTERN_SHARE`) and color (`TINT_SHARE`,
 * limited by `tintLimits`). A gray shadow on a pale product looks like dirt, so the pattern changes its brightness less
 * and its color more.
 */
const PATTERN_SHARE = { usual: 0.75, pale: 0.38 } as const;
const TINT_SHARE = { usual: 0.55, pale: 0.95 } as const;
/** Minimum OKLab lightness and maximum chroma of a pale pixel. */
const PALE = { from: 0.68, chroma: 0.08 } as const;
const tintLimits = [0.88, 1.15] as const;

/** Returns a graded copy with the same alpha channel. */
export function gradeProduct(image: RgbaImage, light: ProductLight, tone: Tone): RgbaImage {
  const gains = spreadGains(light, chooseGains(image, light, tone), measurePaleness(image));
  const { width, height } = image;
  const data = image.data.slice();
  const columns = placeTaps(width, light.columns);
  const rows = placeTaps(height, light.rows);
  const line = new Float32Array(light.columns * 3);
  for (let y = 0; y < height; y++) {
    const row = rows[y]!;
    for (let i = 0; i < line.length; i++) line[i] = mixRows(gains, line.length, row, i);
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if (data[at + 3] === 0) continue;
      const { first, second, third, a, b, c: last } = columns[x]!;
      const random = hashInteger(y * width + x);
      for (let c = 0; c < 3; c++) {
        const gain = a * line[first * 3 + c]! + b * line[second * 3 + c]! + last * line[third * 3 + c]!;
        const level = encodeSrgb255(brighten(linearLevels[data[at + c]!]!, gain));
        // Dithering hides the banding that a gradual gain would cause on smooth surfaces.
        data[at + c] = Math.floor(level + ((random >>> (8 * c)) & 255) / 256);
      }
    }
  }
  return { width, height, data };
}

/** Applies a gain without clipping: a brightening curve has slope `gain` at black and maps white to white. */
function brighten(value: number, gain: number): number {
  return gain <= 1 ? value * gain : (value * gain) / (1 + value * (gain - 1));
}

/** Gains for the whole product, per channel: exposure times white balance. */
function chooseGains(image: RgbaImage, { mean }: ProductLight, tone: Tone): Rgb {
  const shown = showWhite(mean, tone);
  const white = measureWhite(image);
  const luminance = luminanceOf(shown);
  const difference = Math.log2(luminance / (white ? luminanceOf(white) : USUAL_WHITE));
  const exposure = 2 ** clamp(EXPOSURE_SHARE * difference, -MAX_STOPS, MAX_STOPS);
  const own = white ?? [1, 1, 1];
  const cast = shown.map((channel, c) =>
    Math.log((channel / luminance) * (luminanceOf(own) / Math.max(1e-6, own[c]!))),
  );
  const balanceShare = cast[2]! > cast[0]! ? COOLING_SHARE : BALANCE_SHARE;
  const balance = boundShift(image, (share) => {
    const gains = cast.map((stop) => Math.exp(balanceShare * share * stop));
    return [gains[0]!, gains[1]!, gains[2]!];
  });
  return [exposure * balance[0], exposure * balance[1], exposure * balance[2]];
}

/** Linear color of a white surface in this light, as rendered. */
function showWhite([red, green, blue]: Rgb, { exposure, balance }: Tone): Rgb {
  const to = new Uint8Array(3);
  const settings = { width: 1, height: 1, seed: 0, exposure, balance, grain: 0, vignette: 0 };
  toneRow(settings, Float32Array.of(red, green, blue), to, 0);
  return [linearLevels[to[0]!]!, linearLevels[to[1]!]!, linearLevels[to[2]!]!];
}

/**
 * White balance gains at about the largest strength, up to 1, that keeps the mean change of the product's colors within
 * `MAX_SHIFT`.
 */
function boundShift(image: RgbaImage, gainsOf: (share: number) => Rgb): Rgb {
  const colors = sampleColors(image);
  let share = 1;
  for (let turn = 0; turn < 6; turn++) {
    const gains = gainsOf(share);
    const shift = measureShift(colors, gains);
    if (shift <= MAX_SHIFT) return gains;
    share *= (0.95 * MAX_SHIFT) / shift;
  }
  return [1, 1, 1];
}

const SHIFT_SAMPLES = 4000;

/** Linear colors of evenly spaced pixels of the product. */
function sampleColors({ width, height, data }: RgbaImage): Rgb[] {
  const step = Math.max(1, Math.floor((width * height) / SHIFT_SAMPLES));
  const colors: Rgb[] = [];
  for (let at = 0; at < data.length; at += 4 * step) {
    if (data[at + 3]! < 128) continue;
    colors.push([linearLevels[data[at]!]!, linearLevels[data[at + 1]!]!, linearLevels[data[at + 2]!]!]);
  }
  return colors;
}

function measureShift(colors: readonly Rgb[], gains: Rgb): number {
  let sum = 0;
  for (const color of colors) {
    const before = oklabFromLinear(color);
    const after = oklabFromLinear([color[0] * gains[0], color[1] * gains[1], color[2] * gains[2]]);
    sum += Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
  }
  return sum / Math.max(1, colors.length);
}

/** Fraction of the product that is pale, 0 to 1. */
function measurePaleness(image: RgbaImage): number {
  const colors = sampleColors(image);
  const pale = colors.filter((color) => {
    const [lightness, a, b] = oklabFromLinear(color);
    return lightness >= PALE.from && Math.hypot(a, b) <= PALE.chroma;
  });
  return pale.length / Math.max(1, colors.length);
}

/** Gains per cell, three numbers each: the overall gains times the light's pattern. */
function spreadGains(
  { columns, rows, light, mean }: ProductLight,
  whole: Rgb,
  paleness: number,
): Float32Array {
  const mix = ({ usual, pale }: typeof PATTERN_SHARE | typeof TINT_SHARE): number =>
    usual + (pale - usual) * paleness;
  const [patternShare, tintShare] = [mix(PATTERN_SHARE), mix(TINT_SHARE)];
  const gains = new Float32Array(columns * rows * 3);
  const meanLuminance = Math.max(1e-6, luminanceOf(mean));
  for (let at = 0; at < gains.length; at += 3) {
    const luminance = Math.max(1e-6, luminanceOf(light, at));
    const pattern = (luminance / meanLuminance) ** patternShare;
    for (let c = 0; c < 3; c++) {
      const tint = (light[at + c]! / luminance / Math.max(1e-6, mean[c]! / meanLuminance)) ** tintShare;
      gains[at + c] = clamp(whole[c]! * pattern * clamp(tint, ...tintLimits), ...gainLimits);
    }
  }
  return gains;
}

/** Three cells of a row or column, and their weights. */
interface Taps {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Weights of a quadratic B-spline per pixel. Linear interpolation would have creases, which show as Mach bands. */
function placeTaps(pixels: number, cells: number): Taps[] {
  const inside = (cell: number): number => Math.min(cells - 1, Math.max(0, cell));
  return Array.from({ length: pixels }, (_, pixel) => {
    const position = ((pixel + 0.5) * cells) / pixels;
    const middle = Math.floor(position);
    const t = position - middle;
    return {
      first: inside(middle - 1),
      second: inside(middle),
      third: inside(middle + 1),
      a: 0.5 * (1 - t) ** 2,
      b: 0.5 + t * (1 - t),
      c: 0.5 * t * t,
    };
  });
}

function mixRows(gains: Float32Array, stride: number, taps: Taps, i: number): number {
  const { first, second, third, a, b, c } = taps;
  return a * gains[first * stride + i]! + b * gains[second * stride + i]! + c * gains[third * stride + i]!;
}
