/** Decodes only the part of a photo that a call needs, at the size that the call needs. */

import type { Box, Size } from 'packshot-pixels';
import sharp, { type Sharp } from 'sharp';
import { decoded, type ImageLimits, openImage, readHeader, readImage, type Source } from './read-image.ts';

/** Filters would save half of the bytes, but take 1.5 s of a core for 50 megapixels instead of 0.6 s. */
const quickPng = { compressionLevel: 1 };

interface PhotoPart extends Size {
  /** In pixels of the upright photo. */
  readonly region: Box;
}

/** Returns the size of the upright photo, read from the header alone. Throws the errors of `readHeader`. */
export async function measureImage(bytes: Uint8Array, limits: ImageLimits): Promise<Size> {
  const { width, height } = await readHeader(bytes, limits);
  return { width, height };
}

/** Returns a PNG, because the main process holds it. Throws the errors of `inspectImage`. */
export async function readImagePart(
  bytes: Uint8Array,
  limits: ImageLimits,
  { region, width, height }: PhotoPart,
): Promise<Buffer> {
  const { screened, hasAlpha, painted, gamut } = await readHeader(bytes, limits);
  // If false, pixels must be converted to sRGB, or cleared outside the first frame, before they are averaged.
  const plain = !painted && !gamut;
  const image = plain
    ? openImage(screened, limits)
    : await openPixels(await readImage(bytes, limits, 'keep'));
  const part = image
    .extract({ left: region.x, top: region.y, width: region.width, height: region.height })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
    .toColourspace('srgb');
  return decoded((hasAlpha ? part.ensureAlpha() : part.removeAlpha()).png(quickPng).toBuffer());
}

/**
 * Opens decoded pixels: RGB, or RGBA if the photo has transparency. Alpha is joined beforehand, because sharp joins
 * channels only after cropping and scaling the others.
 */
export async function openPixels({
  width,
  height,
  data,
  alpha,
}: Pick<Source, 'width' | 'height' | 'data' | 'alpha'>): Promise<Sharp> {
  const colors = sharp(data, { raw: { width, height, channels: 3 } });
  if (alpha === null) return colors;
  const joined = colors.joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } });
  return sharp(await joined.raw().toBuffer(), { raw: { width, height, channels: 4 } });
}
