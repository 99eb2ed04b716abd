/** Sums over a square window around each pixel, in time that does not depend on the window's size. */

/** A `radius` of 2 means a window of 5x5 pixels. Pixels outside the picture count as 0. */
export function sumWindows(
  { width, height }: { readonly width: number; readonly height: number },
  values: Uint8Array | Float32Array,
  radius: number,
): Float32Array {
  const rows = new Float32Array(values.length);
  for (let start = 0; start < rows.length; start += width) sumRow(values, rows, { start, width, radius });
  const sums = new Float32Array(values.length);
  const columns = new Float64Array(width);
  for (let y = -radius; y < height; y++) {
    const entering = (y + radius) * width;
    const leaving = (y - radius - 1) * width;
    const into = y * width;
    // Most rows have both a row that enters and one that leaves.
    if (entering < rows.length && leaving >= 0) {
      for (let x = 0; x < width; x++) {
        const sum = columns[x]! + rows[entering + x]! - rows[leaving + x]!;
        columns[x] = sum;
        sums[into + x] = sum;
      }
      continue;
    }
    if (entering < rows.length) for (let x = 0; x < width; x++) columns[x]! += rows[entering + x]!;
    if (leaving >= 0) for (let x = 0; x < width; x++) columns[x]! -= rows[leaving + x]!;
    if (y >= 0) sums.set(columns, into);
  }
  return sums;
}

function sumRow(
  values: Uint8Array | Float32Array,
  into: Float32Array,
  { start, width, radius }: { readonly start: number; readonly width: number; readonly radius: number },
): void {
  const end = start + width;
  let sum = 0;
  for (let i = start; i < Math.min(start + radius, end); i++) sum += values[i]!;
  for (let i = start; i < end; i++) {
    if (i + radius < end) sum += values[i + radius]!;
    if (i - radius > start) sum -= values[i - radius - 1]!;
    into[i] = sum;
  }
}
