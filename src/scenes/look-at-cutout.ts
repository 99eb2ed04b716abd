/** What a product looks like to whoever has to say what it is: its measures, and a small picture. */
import sharp from 'sharp';
import { PackshotError } from '../errors.ts';
import type { Box } from '../pixels.ts';
import { measureProduct, type ProductFeatures } from './product-features.ts';

export interface CutoutLook {
  /** Undefined for a cutout with next to nothing in it. */
  readonly features: ProductFeatures | undefined;
  /** The product in its box with its alpha, its longer side 512 px at most. */
  readonly picturePng: Uint8Array;
}

/** More pixels tell a shape no better, and the measuring takes them all. */
const MEASURED_SIDE_PX = 512;

export async function lookAtCutout(cutoutPng: Uint8Array, box: Box): Promise<CutoutLook> {
  const { x: left, y: top, width, height } = box;
  try {
    const small = sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
      .extract({ left, top, width, height })
      .resize({ width: MEASURED_SIDE_PX, height: MEASURED_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha();
    const [{ data, info }, picturePng] = await Promise.all([
      small.clone().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
      small.clone().png().toBuffer(),
    ]);
    return { features: measureProduct({ width: info.width, height: info.height, data }), picturePng };
  } catch (cause) {
    throw new PackshotError('internal', 'The cutout could not be looked at.', { cause });
  }
}
