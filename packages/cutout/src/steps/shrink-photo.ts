/** Makes copies of a photo, or of a part of it, that are no larger than the next step can use. */

import { PackshotError } from 'packshot-errors';
import type { Box, RgbImage, Size } from 'packshot-pixels';
import sharp from 'sharp';

/** The part of the photo in `box`, with a longer side of at most `sidePx`. */
export function cropPhoto(photo: RgbImage, box: Box, sidePx: number): Promise<RgbImage> {
  return resizePhoto(photo, fitInto(box, sidePx), box);
}

/**
 * Shrinks the photo so that each side is at most that of `size`. The aspect ratio may change. Returns the photo itself
 * if it is no larger.
 */
export async function shrinkPhoto(photo: RgbImage, size: Size): Promise<RgbImage> {
  const width = Math.min(photo.width, size.width);
  const height = Math.min(photo.height, size.height);
  if (width === photo.width && height === photo.height) return photo;
  return resizePhoto(photo, { width, height });
}

/** Scales the photo, or the part of it in `box`, to exactly this size; with anti-aliasing where it shrinks. */
export async function resizePhoto(photo: RgbImage, { width, height }: Size, box?: Box): Promise<RgbImage> {
  try {
    const whole = sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } });
    const part = box
      ? whole.extract({ left: box.x, top: box.y, width: box.width, height: box.height })
      : whole;
    const data = await part
      .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { width, height, data };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be scaled.', { cause: error });
  }
}

/** Returns the size at which a picture's longer side is at most `sidePx`: its own size, if that is small enough. */
export function fitInto({ width, height }: Size, sidePx: number): Size {
  const scale = Math.min(1, sidePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
