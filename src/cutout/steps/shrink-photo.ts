/** Makes copies of a photo, or of a part of it, that are no larger than the next step can use. */
import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { Box, RgbImage } from '../../pixels.ts';

/** The part of the photo in `box`, with a longer side of at most `sidePx`. */
export async function cropPhoto(photo: RgbImage, box: Box, sidePx: number): Promise<RgbImage> {
  const { width, height } = fitInto(box, sidePx);
  try {
    const data = await sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } })
      .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
      .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { width, height, data };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be cropped.', { cause: error });
  }
}

/**
 * Shrinks the photo, with anti-aliasing, so that each side is at most that of `size`. The aspect ratio may change.
 * Returns the photo itself if it is no larger.
 */
export async function shrinkPhoto(
  photo: RgbImage,
  size: { readonly width: number; readonly height: number },
): Promise<RgbImage> {
  const width = Math.min(photo.width, size.width);
  const height = Math.min(photo.height, size.height);
  if (width === photo.width && height === photo.height) return photo;
  try {
    const data = await sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } })
      .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { width, height, data };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be scaled down.', {
      cause: error,
    });
  }
}

/** Returns the size at which a picture's longer side is at most `sidePx`: its own size, if that is small enough. */
export function fitInto(
  { width, height }: { readonly width: number; readonly height: number },
  sidePx: number,
): { width: number; height: number } {
  const scale = Math.min(1, sidePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
