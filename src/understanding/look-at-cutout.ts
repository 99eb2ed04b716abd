/** Measures a cutout and makes a small picture of it, to detect the kind of product. */

import { PackshotError } from 'packshot-errors';
import type { Box, Edge } from 'packshot-pixels';
import { measureProduct, type ProductFeatures } from 'packshot-sets';
import sharp from 'sharp';

export interface CutoutLook {
  /** Undefined for a nearly empty cutout. */
  readonly features: ProductFeatures | undefined;
  /** The product with its alpha, cropped to its box; longer side at most 512 px. */
  readonly picturePng: Uint8Array;
}

/** A higher resolution would take longer without improving the measurements. */
const MEASURED_SIDE_PX = 512;

export async function lookAtCutout({
  cutoutPng,
  box: { x: left, y: top, width, height },
  touchesEdges,
}: {
  readonly cutoutPng: Uint8Array;
  readonly box: Box;
  /** Edges of the photo that crop the product. */
  readonly touchesEdges: readonly Edge[];
}): Promise<CutoutLook> {
  try {
    const small = sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
      .extract({ left, top, width, height })
      .resize({ width: MEASURED_SIDE_PX, height: MEASURED_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha();
    const [{ data, info }, picturePng] = await Promise.all([
      small.clone().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
      small.clone().png().toBuffer(),
    ]);
    return {
      features: measureProduct({ width: info.width, height: info.height, data }, touchesEdges),
      picturePng,
    };
  } catch (cause) {
    throw new PackshotError('internal', 'The cutout could not be measured.', { cause });
  }
}
