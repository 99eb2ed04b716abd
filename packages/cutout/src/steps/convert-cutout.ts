/** Converts the stored cutout to WebP, or adds metadata to it. */

import { type PhotoTags, tagPicture } from 'packshot-photos';
import sharp from 'sharp';
import { pngOptions } from './encode-cutout.ts';

/**
 * WebP is lossless here, so that both formats contain the same picture. In both, pixels with an alpha of 0 have zero
 * colors.
 */
export async function convertCutout({
  cutoutPng,
  format,
  tags,
}: {
  readonly cutoutPng: Uint8Array;
  readonly format: 'png' | 'webp';
  readonly tags?: PhotoTags | null | undefined;
}): Promise<Buffer> {
  const plain = sharp(cutoutPng);
  const cutout = tags ? tagPicture(plain, tags) : plain;
  return format === 'png'
    ? cutout.png(pngOptions).toBuffer()
    : cutout.webp({ lossless: true, exact: true, effort: 2 }).toBuffer();
}
