/** Tone mapping of linear light to 8-bit sRGB with a filmic curve, dithering and slight grain. */
import { encodeSrgb } from 'packshot-pixels';
import { hashInteger } from './noise.ts';
import type { Tone } from './studio-scene.ts';

/**
 * AgX (Troy Sobotka; matrices as in Benjamin Wrensch, "Minimal AgX Implementation", 2023): the inset mixes some of each
 * primary into the others, so that bright colors lose saturation as on film instead of clipping to a primary; the
 * outset undoes the mixing after the curve. Both are matrices, listed row by row; each row sums to 1.
 */
const INSET = [0.84248, 0.07833, 0.07919, 0.04233, 0.87847, 0.0792, 0.04238, 0.07843, 0.87919] as const;
const OUTSET = [1.19688, -0.09802, -0.09886, -0.0529, 1.1519, -0.099, -0.05297, -0.09804, 1.15101] as const;
/**
 * Like AgX's curve, this one is a logistic function of the logarithm of the linear light v: v^n / (v^n + s^n), where n
 * is `CONTRAST` and s is `HALF_WHITE`. With these values, shadows (5 % of linear light) and whites (80 %) change by
 * less than half a stop, and contrast increases in between.
 */
const CONTRAST = 1.6;
/** The linear light that the curve maps to 0.5, half of white, before sRGB encoding. */
export const HALF_WHITE = 0.4025;
/** Number of entries in the curve's table. Its argument is v / (v + HALF_WHITE), which gives shadows more entries. */
const TABLE_SIZE = 4096;
/** The triangular dither, which hides 8-bit banding, changes a value by up to this many levels. */
const DITHER = 0.7;

const curveTable = Float32Array.from({ length: TABLE_SIZE + 2 }, (_, index) => {
  const share = Math.min(1 - 1e-9, index / TABLE_SIZE);
  const ratio = (share / (1 - share)) ** CONTRAST;
  return 255 * encodeSrgb(ratio / (1 + ratio));
});

/** Converts a channel of linear light to its sRGB value, 0 to 255. */
function expose(linear: number): number {
  if (linear <= 0) return 0;
  const position = (linear / (linear + HALF_WHITE)) * TABLE_SIZE;
  const index = position | 0;
  const low = curveTable[index]!;
  return low + (curveTable[index + 1]! - low) * (position - index);
}

export interface ToneSettings extends Tone {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly seed: number;
}

/** Maps one row from `line` (linear, three numbers per pixel) to the picture `to`. */
export function toneRow(
  { width, height, exposure, grain, vignette, balance = [1, 1, 1], seed }: ToneSettings,
  line: Float32Array,
  to: Uint8Array,
  row: number,
): void {
  const v = (2 * row) / height - 1;
  for (let column = 0; column < width; column++) {
    const u = (2 * column) / width - 1;
    const corner = (u * u + v * v) * 0.5;
    const gain = exposure * (1 - vignette * corner * corner);
    const random = hashInteger((row * width + column) ^ Math.imul(seed, 0x9e3779b1));
    // The sum of this hash's four bytes is nearly Gaussian; it makes the grain. The difference of two 4-bit parts of a
    // second hash has a triangular distribution; it makes the dither.
    const bytes = (random & 255) + ((random >>> 8) & 255) + ((random >>> 16) & 255) + (random >>> 24);
    const speck = ((bytes - 510) / 147.6) * grain * 255;
    const red = line[column * 3]! * gain * balance[0];
    const green = line[column * 3 + 1]! * gain * balance[1];
    const blue = line[column * 3 + 2]! * gain * balance[2];
    const r = expose(INSET[0] * red + INSET[1] * green + INSET[2] * blue);
    const g = expose(INSET[3] * red + INSET[4] * green + INSET[5] * blue);
    const b = expose(INSET[6] * red + INSET[7] * green + INSET[8] * blue);
    const second = hashInteger(random);
    const at = (row * width + column) * 3;
    to[at] = level(OUTSET[0] * r + OUTSET[1] * g + OUTSET[2] * b + speck + dither(second, 0));
    to[at + 1] = level(OUTSET[3] * r + OUTSET[4] * g + OUTSET[5] * b + speck + dither(second, 8));
    to[at + 2] = level(OUTSET[6] * r + OUTSET[7] * g + OUTSET[8] * b + speck + dither(second, 16));
  }
}

function dither(random: number, shift: number): number {
  const a = (random >>> shift) & 15;
  const b = (random >>> (shift + 4)) & 15;
  return ((a - b) / 15) * DITHER;
}

function level(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
