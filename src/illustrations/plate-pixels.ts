/** Reads, mixes and enlarges the pixels of plates (pictures of scenes without the product). */

import { PackshotError } from 'packshot-errors';
import { type CanvasSize, encodeSrgb255, linearLevels, type RgbImage } from 'packshot-pixels';
import sharp from 'sharp';
import { resample } from '../rendering/resample.ts';

/** Blends two pictures of the same size in linear light; `share` is the weight of `grounded`, 0 to 1. */
export function mixLight(plate: RgbImage, grounded: RgbImage, share: number): RgbImage {
  const data = plate.data.map((level, i) =>
    Math.round(encodeSrgb255(linearLevels[level]! * (1 - share) + linearLevels[grounded.data[i]!]! * share)),
  );
  return { ...plate, data };
}

/** Throws `internal` for bytes that are not a picture, because plates are our own files. */
export async function readPlate(bytes: Uint8Array): Promise<RgbImage> {
  try {
    const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: false })
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch (cause) {
    throw new PackshotError('internal', 'The plate of a scene cannot be read.', { cause });
  }
}

/** Scales a plate, which may have been traced at a lower resolution, up to the canvas. */
export function enlarge({ width, height, data }: RgbImage, size: CanvasSize): RgbImage {
  const opaque = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0, p = 0, q = 0; i < width * height; i++, p += 3, q += 4) {
    opaque[q] = data[p]!;
    opaque[q + 1] = data[p + 1]!;
    opaque[q + 2] = data[p + 2]!;
  }
  const large = resample({ width, height, data: opaque }, size.width, size.height);
  const pixels = new Uint8Array(size.width * size.height * 3);
  for (let p = 0, q = 0; p < pixels.length; p += 3, q += 4) {
    pixels[p] = large.data[q]!;
    pixels[p + 1] = large.data[q + 1]!;
    pixels[p + 2] = large.data[q + 2]!;
  }
  return { ...size, data: pixels };
}
