/** Converts a stored photo to a format that every browser shows. */
import sharp from 'sharp';
import type { ImageLimits } from './image-limits.ts';
import { decoded } from './read-image.ts';
import { measureImage, readImagePart } from './read-image-part.ts';

/** Maximum length of the longer side, in pixels; fine enough for painting a correction, and cheap to send. */
const LONG_EDGE_PX = 2048;
const JPEG_QUALITY = 88;

/**
 * Returns an upright sRGB JPEG without metadata, at most 2048 px on its longer side and never larger than the photo.
 * Transparent areas become white. Throws the errors of `readImage`.
 */
export async function encodePhoto({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
}): Promise<Buffer> {
  const photo = await measureImage(bytes, limits);
  const scale = Math.min(1, LONG_EDGE_PX / Math.max(photo.width, photo.height));
  const pixels = await readImagePart(bytes, limits, {
    region: { x: 0, y: 0, ...photo },
    width: Math.max(1, Math.round(photo.width * scale)),
    height: Math.max(1, Math.round(photo.height * scale)),
  });
  return decoded(sharp(pixels).flatten({ background: 'white' }).jpeg({ quality: JPEG_QUALITY }).toBuffer());
}
