/** Decodes only the part of a photo that a call needs, at the size that the call needs. */
import sharp, { type Sharp } from 'sharp';
import type { Box, Size } from '../pixels.ts';
import { decoded, type ImageLimits, openImage, readHeader, readImage, type Source } from './read-image.ts';

interface PhotoPart extends Size {
  /** In pixels of the upright photo. */
  readonly region: Box;
}

/** Returns the size of the upright photo, read from the header alone. Throws the errors of `readHeader`. */
export async function measureImage(bytes: Uint8Array, limits: ImageLimits): Promise<Size> {
  const { width, height } = await readHeader(bytes, limits);
  return { width, height };
}

/** Returns an uncompressed TIFF, which is cheap to read again. Throws the errors of `inspectImage`. */
export async function readImagePart(
  bytes: Uint8Array,
  limits: ImageLimits,
  { region, width, height }: PhotoPart,
): Promise<Buffer> {
  const { screened, hasAlpha, painted } = await readHeader(bytes, limits);
  // If false, pixels must be converted to sRGB, or cleared outside the first frame, before they are averaged.
  const plain = !painted && !screened.displayP3;
  const image = plain ? openImage(screened, limits) : await openPixels(await readImage(bytes, limits));
  const part = image
    .extract({ left: region.x, top: region.y, width: region.width, height: region.height })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
    .toColourspace('srgb');
  return decoded(
    (hasAlpha ? part.ensureAlpha() : part.removeAlpha()).tiff({ compression: 'none' }).toBuffer(),
  );
}

/**
 * Opens decoded pixels: RGB, or RGBA if the photo has transparency. Alpha is joined beforehand, because sharp joins
 * channels only after cropping and scaling the others.
 */
export async function openPixels({ width, height, data, alpha }: Source): Promise<Sharp> {
  const colors = sharp(data, { raw: { width, height, channels: 3 } });
  if (alpha === null) return colors;
  const joined = colors.joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } });
  return sharp(await joined.raw().toBuffer(), { raw: { width, height, channels: 4 } });
}
