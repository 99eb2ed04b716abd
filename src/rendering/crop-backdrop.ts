/** Step: crops a backdrop photo to the canvas' aspect ratio and scales it to the canvas' size. */

import { PackshotError } from 'packshot-errors';
import type { CanvasSize, RgbImage } from 'packshot-pixels';
import sharp from 'sharp';

/**
 * Returns a picture that covers the canvas. Crops the width equally on both sides, but the height only at the top,
 * because the floor or table for the product is at the bottom of a photo.
 */
export async function cropBackdrop(photo: RgbImage, canvas: CanvasSize): Promise<RgbImage> {
  const scale = Math.max(canvas.width / photo.width, canvas.height / photo.height);
  const width = Math.min(photo.width, Math.max(1, Math.round(canvas.width / scale)));
  const height = Math.min(photo.height, Math.max(1, Math.round(canvas.height / scale)));
  try {
    const data = await sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } })
      .extract({ left: Math.floor((photo.width - width) / 2), top: photo.height - height, width, height })
      .resize({ width: canvas.width, height: canvas.height, fit: 'fill', kernel: 'lanczos3' })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { width: canvas.width, height: canvas.height, data };
  } catch (cause) {
    throw new PackshotError('internal', 'The backdrop could not be scaled.', { cause });
  }
}
