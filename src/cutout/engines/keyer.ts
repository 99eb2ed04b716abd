/**
 * The removal engine without a model: keys out a plain backdrop, such as a sheet of white or colored paper. Small,
 * fast and deterministic; it returns an empty matte if the backdrop is not plain.
 */
import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { Matte, RgbImage } from '../../pixels.ts';
import type { RemovalEngine } from '../removal-engine.ts';
import { findBackdrop } from './keyer-backdrop.ts';
import { keyMatte } from './keyer-matte.ts';
import { type LabImage, makeLabImage } from './keyer-oklab.ts';

/**
 * Maximum side of the copy that is processed, in pixels. It equals the full resolution of the engine `isnet`, and
 * limits the cost of large photos.
 */
const LONG_SIDE_PX = 1024;
/** Minimum length of each side of a matte, as `RemovalEngine` requires. */
const MIN_SIDE_PX = 16;

export async function openKeyer(): Promise<RemovalEngine> {
  return {
    id: 'keyer',
    version: 'keyer-2',
    async predictMatte(source, { signal }): Promise<Matte> {
      signal.throwIfAborted();
      const photo = await shrinkToLab(source);
      signal.throwIfAborted();
      const backdrop = findBackdrop(photo);
      if (backdrop === null) {
        return { width: photo.width, height: photo.height, data: new Uint8Array(photo.width * photo.height) };
      }
      signal.throwIfAborted();
      return keyMatte(photo, backdrop);
    },
    async close() {
      // Keeps nothing between photos.
    },
  };
}

async function shrinkToLab(source: RgbImage): Promise<LabImage> {
  const scale = Math.min(1, LONG_SIDE_PX / Math.max(source.width, source.height));
  const width = Math.max(MIN_SIDE_PX, Math.round(source.width * scale));
  const height = Math.max(MIN_SIDE_PX, Math.round(source.height * scale));
  try {
    const pixels = await sharp(source.data, {
      raw: { width: source.width, height: source.height, channels: 3 },
    })
      .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return makeLabImage({ width, height, data: pixels });
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be prepared for its cutout.', { cause: error });
  }
}
