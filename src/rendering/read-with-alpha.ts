/** Reads a stored file as RGBA with straight alpha. */
import { limitsOfStored, readImage } from 'packshot-photos';
import type { RgbaImage } from 'packshot-pixels';

export async function readWithAlpha(bytes: Uint8Array): Promise<RgbaImage> {
  const { width, height, data: colors, alpha } = await readImage(bytes, limitsOfStored, 'keep');
  const data = new Uint8Array(width * height * 4);
  for (let i = 0, p = 0, q = 0; i < width * height; i++, p += 3, q += 4) {
    data[q] = colors[p]!;
    data[q + 1] = colors[p + 1]!;
    data[q + 2] = colors[p + 2]!;
    data[q + 3] = alpha ? alpha[i]! : 255;
  }
  return { width, height, data };
}
