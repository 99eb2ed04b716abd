/** Statistics of a picture's pixels: fractions, medians and color distances. Pixels are given by their index. */

export interface MeasuredPixels {
  readonly width: number;
  readonly height: number;
  /** 8-bit sRGB, three channels. */
  readonly data: Uint8Array;
  readonly alpha: Uint8Array | null;
}

/** Maximum invisible noise that JPEG leaves around edges, in levels. */
export const NOISE = 5;

export function share(values: ArrayLike<number>, fits: (value: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (fits(values[i]!)) count++;
  return count / values.length;
}

export function medianOf(values: ArrayLike<number>, levelOf: (value: number) => number): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < values.length; i++) counts[levelOf(values[i]!)]!++;
  let left = values.length / 2;
  for (let level = 0; level < 256; level++) {
    left -= counts[level]!;
    if (left <= 0) return level;
  }
  return 255;
}

/** Largest difference in any channel, 0 to 255. */
export function distance(
  { data }: MeasuredPixels,
  p: number,
  [r, g, b]: readonly [number, number, number],
): number {
  const at = p * 3;
  return Math.max(Math.abs(data[at]! - r), Math.abs(data[at + 1]! - g), Math.abs(data[at + 2]! - b));
}
