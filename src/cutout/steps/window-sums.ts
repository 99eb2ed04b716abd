/** Sums over a square window around each pixel, in time that does not depend on the window's size. */

/** A `radius` of 2 means a window of 5x5 pixels. Pixels outside the picture count as 0. */
export function sumWindows(
  { width, height }: { readonly width: number; readonly height: number },
  values: Uint8Array | Float32Array,
  radius: number,
): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    sumRow(values.subarray(row, row + width), rows.subarray(row, row + width), radius);
  }
  const sums = new Float32Array(values.length);
  const columns = new Float64Array(width);
  const none = new Float32Array(width);
  const rowAt = (y: number) => (y < 0 || y >= height ? none : rows.subarray(y * width, (y + 1) * width));
  for (let y = 0; y < radius; y++) slide(columns, rowAt(y), none);
  for (let y = 0; y < height; y++) {
    slide(columns, rowAt(y + radius), rowAt(y - radius - 1));
    sums.set(columns, y * width);
  }
  return sums;
}

function sumRow(values: Uint8Array | Float32Array, into: Float32Array, radius: number): void {
  const width = values.length;
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) sum += values[x]!;
  for (let x = 0; x < width; x++) {
    if (x + radius < width) sum += values[x + radius]!;
    if (x > radius) sum -= values[x - radius - 1]!;
    into[x] = sum;
  }
}

function slide(columns: Float64Array, entering: Float32Array, leaving: Float32Array): void {
  for (let x = 0; x < columns.length; x++) columns[x] = columns[x]! + entering[x]! - leaving[x]!;
}
