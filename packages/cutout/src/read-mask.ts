/** Decodes a mask sent by a caller, and checks that it fits the photo. */

import { PackshotError } from 'packshot-errors';
import { type ImageLimits, measureImage, readImagePart } from 'packshot-photos';
import { luminanceOf, type Size } from 'packshot-pixels';
import sharp from 'sharp';

/** Maximum relative difference of two aspect ratios that count as the same, since sides are rounded to whole pixels. */
const SAME_ASPECT = 0.02;
/** The mask value that leaves the matte unchanged. */
const GRAY = 128;

/**
 * Returns the mask as an 8-bit gray PNG no larger than the photo. Its values are luma, blended toward
 * mid-gray where the mask is transparent. Rejects with the errors of `inspectImage`, and with
 * `invalid_correction` if the aspect ratio differs from the photo's.
 */
export async function readMask({
  bytes,
  photo,
  limits,
}: {
  readonly bytes: Uint8Array;
  /** Size of the upright photo. */
  readonly photo: Size;
  readonly limits: ImageLimits;
}): Promise<Uint8Array> {
  // The minimum size of photos does not apply to masks.
  const ownLimits = { ...limits, minSidePx: 1 };
  const mask = await measureImage(bytes, ownLimits);
  const across = mask.width / photo.width;
  const down = mask.height / photo.height;
  const slack = 1 / Math.min(mask.width, mask.height);
  if (Math.abs(across / down - 1) > Math.max(SAME_ASPECT, slack)) {
    throw new PackshotError(
      'invalid_correction',
      `The mask has ${mask.width}×${mask.height} px, which is not the aspect ratio of the photo (${photo.width}×${photo.height} px).`,
    );
  }
  const isSmaller = mask.width <= photo.width && mask.height <= photo.height;
  const { width, height } = isSmaller ? mask : photo;
  const region = { x: 0, y: 0, ...mask };
  const tiff = await readImagePart(bytes, ownLimits, { region, width, height });
  const { data, info } = await sharp(tiff)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const gray = Buffer.alloc(width * height);
  for (let i = 0, p = 0; i < gray.length; i++, p += info.channels) {
    // Rec. 709 luma.
    const luma = luminanceOf(data, p);
    gray[i] = Math.round(GRAY + ((luma - GRAY) * data[p + 3]!) / 255);
  }
  return sharp(gray, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 3 })
    .toBuffer();
}
