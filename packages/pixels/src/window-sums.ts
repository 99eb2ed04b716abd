/** Sums over a square window around each pixel, in time that does not depend on the window's size. */
import type { Size } from './pixels.ts';

/**
 * A `radius` of 2 means a window of 5x5 pixels. Pixels outside the picture count as 0. The sums are written to `into`,
 * which may be `values` itself.
 */
export function sumWindows(
  { width, height }: Size,
  values: Uint8Array | Float32Array,
  radius: number,
  into: Float32Array = new Float32Array(values.length),
): Float32Array {
  // A ring buffer of row sums: a row that enters the windows overwrites the one that leaves them.
  const rows = new Float32Array((2 * radius + 1) * width);
  const row = new Float32Array(width);
  const columns = new Float64Array(width);
  for (let y = -radius, slot = 0; y < height; y++, slot = (slot + width) % rows.length) {
    if (y + radius < height) sumRow(values, row, { start: (y + radius) * width, radius });
    else row.fill(0);
    for (let x = 0; x < width; x++) {
      columns[x] = columns[x]! + row[x]! - rows[slot + x]!;
      rows[slot + x] = row[x]!;
    }
    if (y >= 0) into.set(columns, y * width);
  }
  return into;
}

/** Means of the windows: of those of their pixels that are inside the picture. */
export function averageWindows(
  size: Size,
  values: Uint8Array | Float32Array,
  radius: number,
  into?: Float32Array,
): Float32Array {
  const { width, height } = size;
  const sums = sumWindows(size, values, radius, into);
  for (let y = 0, i = 0; y < height; y++) {
    const lines = Math.min(height, y + radius + 1) - Math.max(0, y - radius);
    for (let x = 0; x < width; x++, i++) {
      sums[i]! /= lines * (Math.min(width, x + radius + 1) - Math.max(0, x - radius));
    }
  }
  return sums;
}

function sumRow(
  values: Uint8Array | Float32Array,
  row: Float32Array,
  { start, radius }: { readonly start: number; readonly radius: number },
): void {
  const { length } = row;
  let sum = 0;
  for (let x = -radius; x < length; x++) {
    if (x + radius < length) sum += values[start + x + radius]!;
    if (x > radius) sum -= values[start + x - radius - 1]!;
    if (x >= 0) row[x] = sum;
  }
}
