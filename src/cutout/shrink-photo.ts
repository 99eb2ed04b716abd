/** Copies of a photo, or of a part of it, no larger than what the next step can use. */
import sharp from 'sharp';
import { PackshotError } from '../errors.ts';
import type { Box, RgbImage } from '../pixels.ts';

/** The part of the photo in `box`. */
export function cropPhoto({ width, data }: RgbImage, box: Box): RgbImage {
  const cropped = new Uint8Array(box.width * box.height * 3);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * width + box.x) * 3;
    cropped.set(data.subarray(from, from + box.width * 3), y * box.width * 3);
  }
  return { width: box.width, height: box.height, data: cropped };
}

/** At most `size` in each direction, anti-aliased; the photo itself where it is no larger. */
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
    throw new PackshotError('internal', 'The photo could not be brought to a smaller size.', {
      cause: error,
    });
  }
}
