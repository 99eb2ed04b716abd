/** How much a photo's colors vary around each pixel. */
import type { RgbImage } from '../../pixels.ts';

/** Three sums of values and three sums of squares. */
const SUMS = 6;

/**
 * Standard deviation of the colors in a square window around each pixel, in 8-bit levels: the square root of the sum of
 * the three channels' variances. A `radius` of 2 means a window of 5x5 pixels. Pixels outside the photo count as black.
 */
export function measureContrasts(photo: RgbImage, radius: number): Float32Array {
  const { width, height } = photo;
  const count = (2 * radius + 1) ** 2;
  // Sums over the window around each pixel of a row. All sums are integers.
  const sums = new Int32Array(SUMS * width);
  const contrasts = new Float32Array(width * height);
  for (let y = -radius; y < height; y++) {
    if (y + radius < height) addRow(sums, photo, { y: y + radius, radius, sign: 1 });
    if (y > radius) addRow(sums, photo, { y: y - radius - 1, radius, sign: -1 });
    if (y < 0) continue;
    for (let x = 0, i = y * width, s = 0; x < width; x++, i++, s += SUMS) {
      let variance = 0;
      for (let c = s; c < s + 3; c++) {
        const mean = sums[c]! / count;
        // Rounded to single precision in these two places: any other rounding would change some cutouts, and the same
        // photo must always give the same cutout.
        variance = Math.fround(variance + Math.fround(sums[c + 3]!) / count - mean * mean);
      }
      contrasts[i] = Math.sqrt(Math.max(0, variance));
    }
  }
  return contrasts;
}

/** Adds to each pixel's sums, or subtracts from them, the values of one row within the window's width. */
function addRow(
  sums: Int32Array,
  { width, data }: RgbImage,
  { y, radius, sign }: { readonly y: number; readonly radius: number; readonly sign: 1 | -1 },
): void {
  const start = 3 * y * width;
  const end = start + 3 * width;
  let [r, g, b, rr, gg, bb] = [0, 0, 0, 0, 0, 0];
  const ahead = 3 * radius;
  const behind = ahead + 3;
  for (let p = start - ahead, s = -SUMS * radius; p < end; p += 3, s += SUMS) {
    const entering = p + ahead;
    if (entering < end) {
      const [red, green, blue] = [data[entering]!, data[entering + 1]!, data[entering + 2]!];
      r += red;
      g += green;
      b += blue;
      rr += red * red;
      gg += green * green;
      bb += blue * blue;
    }
    const leaving = p - behind;
    if (leaving >= start) {
      const [red, green, blue] = [data[leaving]!, data[leaving + 1]!, data[leaving + 2]!];
      r -= red;
      g -= green;
      b -= blue;
      rr -= red * red;
      gg -= green * green;
      bb -= blue * blue;
    }
    if (p < start) continue;
    sums[s] = sums[s]! + sign * r;
    sums[s + 1] = sums[s + 1]! + sign * g;
    sums[s + 2] = sums[s + 2]! + sign * b;
    sums[s + 3] = sums[s + 3]! + sign * rr;
    sums[s + 4] = sums[s + 4]! + sign * gg;
    sums[s + 5] = sums[s + 5]! + sign * bb;
  }
}
