/** Statistics of a picture's pixels: fractions, medians and color distances. Pixels are given by their index. */
import type { Source } from 'packshot-photos';
import type { Rgb } from 'packshot-pixels';

/** Maximum difference, in 8-bit levels, that counts as the invisible noise of JPEG around edges. */
export const NOISE = 5;

/** The median color of some pixels, channel by channel. */
export const medianColor = ({ data }: Source, pixels: ArrayLike<number>): Rgb => [
  medianOf(pixels, (p) => data[p * 3]!),
  medianOf(pixels, (p) => data[p * 3 + 1]!),
  medianOf(pixels, (p) => data[p * 3 + 2]!),
];

export function share(values: ArrayLike<number>, fits: (value: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (fits(values[i]!)) count++;
  return count / values.length;
}

function medianOf(values: ArrayLike<number>, levelOf: (value: number) => number): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < values.length; i++) counts[levelOf(values[i]!)]!++;
  let left = values.length / 2;
  for (let level = 0; level < 256; level++) {
    left -= counts[level]!;
    if (left <= 0) return level;
  }
  return 255;
}

/** Largest difference from the given color in any channel, 0 to 255. */
export function distance({ data }: Source, p: number, [r, g, b]: Rgb): number {
  const at = p * 3;
  return Math.max(Math.abs(data[at]! - r), Math.abs(data[at + 1]! - g), Math.abs(data[at + 2]! - b));
}

/** Lowest channel value; 0 for a pixel that is not opaque, because its visible color depends on the page. */
export function darkest({ data, alpha }: Source, p: number): number {
  if (alpha && alpha[p]! < 255) return 0;
  return Math.min(data[p * 3]!, data[p * 3 + 1]!, data[p * 3 + 2]!);
}

export const isWhite = (picture: Source, p: number): boolean => darkest(picture, p) === 255;
