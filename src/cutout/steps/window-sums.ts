/** Sums over a square window around each pixel, in time that does not depend on the window's size. */

/** A `radius` of 2 is a 5x5 window; pixels outside the picture count as 0. */
export function sumWindows(
  { width, height }: { readonly width: number; readonly height: number },
  values: Uint8Array | Float32Array,
  radius: number,
): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[row + x]!;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[row + x + radius]!;
      if (x - radius - 1 >= 0) sum -= values[row + x - radius - 1]!;
      rows[row + x] = sum;
    }
  }
  const sums = new Float32Array(values.length);
  const columns = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0; x < width; x++) columns[x]! += rows[y * width + x]!;
  }
  for (let y = 0; y < height; y++) {
    const entering = (y + radius) * width;
    const leaving = (y - radius - 1) * width;
    for (let x = 0; x < width; x++) {
      if (y + radius < height) columns[x]! += rows[entering + x]!;
      if (leaving >= 0) columns[x]! -= rows[leaving + x]!;
      sums[y * width + x] = columns[x]!;
    }
  }
  return sums;
}
