/** The alpha channel of an uploaded photo. */
import type { Box, RgbaImage, RgbImage } from '../pixels.ts';

/**
 * Minimum share of pixels that are almost or fully transparent (alpha below 8). With fewer, the alpha channel is not a
 * cutout but, for example, rounded corners.
 */
const REAL_TRANSPARENCY = 0.01;

/**
 * Makes the pixels outside `painted`, the area of a GIF's first frame, transparent, as browsers do. The decoder makes
 * them black.
 */
export function clearOutside(painted: Box, { width, height, data }: RgbaImage): void {
  for (let y = 0, p = 3; y < height; y++) {
    const inRows = y >= painted.y && y < painted.y + painted.height;
    for (let x = 0; x < width; x++, p += 4) {
      if (!inRows || x < painted.x || x >= painted.x + painted.width) data[p] = 0;
    }
  }
}

/**
 * Returns the colors and alpha of an RGBA photo. If too little of the photo is transparent for a cutout, alpha is null
 * and the colors are composited on white.
 */
export function splitAlpha({
  width,
  height,
  data: rgba,
}: RgbaImage): RgbImage & { readonly alpha: Uint8Array | null } {
  const pixels = width * height;
  const data = new Uint8Array(pixels * 3);
  const alpha = new Uint8Array(pixels);
  let clear = 0;
  for (let i = 0, p = 0, q = 0; i < pixels; i++, p += 3, q += 4) {
    const a = rgba[q + 3]!;
    alpha[i] = a;
    if (a < 8) clear++;
    data[p] = rgba[q]!;
    data[p + 1] = rgba[q + 1]!;
    data[p + 2] = rgba[q + 2]!;
  }
  if (clear >= pixels * REAL_TRANSPARENCY) return { width, height, data, alpha };
  // The color under a stray transparent pixel is undefined; show white there, as an image viewer would.
  for (let i = 0, p = 0; i < pixels; i++, p += 3) {
    const a = alpha[i]!;
    if (a === 255) continue;
    for (let c = p; c < p + 3; c++) data[c] = Math.round((data[c]! * a + 255 * (255 - a)) / 255);
  }
  return { width, height, data, alpha: null };
}
