/** Step: encodes the cutout and its matte as PNG, as they are stored and returned. */

import { PackshotError } from 'packshot-errors';
import { dropDensity } from 'packshot-photos';
import type { Matte, RgbaImage } from 'packshot-pixels';
import sharp, { type PngOptions } from 'sharp';

/**
 * PNG options. No palette is used: a palette with 256 entries for color and alpha together would add a color error of
 * one level at the rim.
 */
export const pngOptions: PngOptions = {
  compressionLevel: 2,
  adaptiveFiltering: false,
  palette: false,
  progressive: false,
};

export interface EncodedCutout {
  /** RGBA, straight alpha. */
  readonly cutoutPng: Buffer;
  /** 8-bit gray. */
  readonly mattePng: Buffer;
}

export async function encodeCutout(cutout: RgbaImage, matte: Matte): Promise<EncodedCutout> {
  try {
    const [cutoutPng, mattePng] = await Promise.all([
      encodePng(cutout),
      sharp(matte.data, { raw: { width: matte.width, height: matte.height, channels: 1 } })
        .toColourspace('b-w')
        .png(pngOptions)
        .toBuffer()
        .then(dropDensity),
    ]);
    return { cutoutPng, mattePng };
  } catch (error) {
    throw new PackshotError('internal', 'The cutout could not be encoded.', { cause: error });
  }
}

/** Encodes RGBA with straight alpha, the way cutouts are stored. */
export function encodePng({ width, height, data }: RgbaImage): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png(pngOptions)
    .toBuffer()
    .then(dropDensity);
}
