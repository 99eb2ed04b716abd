/** How much a photo's colors vary around each pixel. */
import { sumWindows } from '../../pixels/window-sums.ts';
import type { RgbImage } from '../../pixels.ts';

/**
 * Standard deviation of the colors in a square window around each pixel, in 8-bit levels: the square root of the sum of
 * the three channels' variances. A `radius` of 2 means a window of 5x5 pixels. Pixels outside the photo count as black.
 */
export function measureContrasts(photo: RgbImage, radius: number): Float32Array {
  const count = (2 * radius + 1) ** 2;
  const variances = new Float32Array(photo.width * photo.height);
  for (let channel = 0; channel < 3; channel++) {
    const values = new Float32Array(variances.length);
    const squares = new Float32Array(variances.length);
    for (let i = 0; i < values.length; i++) {
      values[i] = photo.data[3 * i + channel]!;
      squares[i] = values[i]! ** 2;
    }
    const sums = sumWindows(photo, values, radius, values);
    sumWindows(photo, squares, radius, squares);
    for (let i = 0; i < variances.length; i++) {
      const mean = sums[i]! / count;
      // In this order: another rounding would change some cutouts, and the same photo always gives the same cutout.
      variances[i] = variances[i]! + squares[i]! / count - mean * mean;
    }
  }
  return variances.map((variance) => Math.sqrt(Math.max(0, variance)));
}
