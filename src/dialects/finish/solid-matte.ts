/** Step: removes partial alpha, inside the subject or everywhere. Both functions modify the picture in place. */
import { blurGaussian, CHAMFER_STEP, measureDistances, type RgbaImage } from 'packshot-pixels';

/** Alpha below this is background. */
const clear = 8;
/**
 * Width of the soft edge, as a share of the picture's size (the geometric mean of its sides), but at least
 * `leastRimPx`. Pixels farther in are the interior.
 */
const rimShare = 0.006;
const leastRimPx = 3;

/** Makes translucent areas opaque; the edge of the outline stays soft. */
export function makeSolid({ width, height, data }: RgbaImage): void {
  // Add a background margin, so that the frame counts as outside the subject.
  const framed = { width: width + 2, height: height + 2 };
  const outside = new Uint8Array(framed.width * framed.height).fill(1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[4 * (y * width + x) + 3]! >= clear) outside[(y + 1) * framed.width + x + 1] = 0;
    }
  }
  const distances = measureDistances(framed, outside);
  const rim = CHAMFER_STEP * Math.max(leastRimPx, rimShare * Math.sqrt(width * height));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (distances[(y + 1) * framed.width + x + 1]! > rim) data[4 * (y * width + x) + 3] = 255;
    }
  }
}

/** Rembg's option `ppm` (post-process mask): opening with a cross of 3 × 3 px, blur with sigma 2, threshold at 127. */
export function makeBinary({ width, height, data }: RgbaImage): void {
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[4 * i + 3]!;
  const opened = pass(pass(alpha, width, height, Math.min), width, height, Math.max);
  blurGaussian(opened, { width, height }, { sigmaX: 2, sigmaY: 2 });
  for (let i = 0; i < opened.length; i++) data[4 * i + 3] = opened[i]! < 127 ? 0 : 255;
}

/** Replaces each pixel with the minimum or maximum of itself and its four neighbors. */
function pass(
  values: Float32Array,
  width: number,
  height: number,
  choose: (one: number, other: number) => number,
): Float32Array {
  const result = new Float32Array(values.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let value = values[i]!;
      if (x > 0) value = choose(value, values[i - 1]!);
      if (x < width - 1) value = choose(value, values[i + 1]!);
      if (y > 0) value = choose(value, values[i - width]!);
      if (y < height - 1) value = choose(value, values[i + width]!);
      result[i] = value;
    }
  }
  return result;
}
