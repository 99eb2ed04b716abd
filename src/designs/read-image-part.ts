/** Decodes only the part of a photo that a call needs, at the size that the call needs. */
import sharp from 'sharp';
import type { Box } from '../pixels.ts';
import {
  decoded,
  type ImageFacts,
  type ImageLimits,
  openImage,
  readHeader,
  readImage,
} from './read-image.ts';

export interface PhotoSize {
  readonly width: number;
  readonly height: number;
}

export interface PhotoPart {
  /** In pixels of the upright photo. */
  readonly region: Box;
  readonly width: number;
  readonly height: number;
}

export interface MeasuredPhoto extends Pick<ImageFacts, 'format'> {
  /** Size of the upright photo. */
  readonly photo: PhotoSize;
}

/** Returns size and format, read from the header alone. Throws the errors of `readHeader`. */
export async function measureImage(bytes: Uint8Array, limits: ImageLimits): Promise<MeasuredPhoto> {
  const { format, width, height } = await readHeader(bytes, limits);
  return { format, photo: { width, height } };
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
  const image = plain ? openImage(screened, limits) : await openPixels(bytes, limits);
  const part = image
    .extract({ left: region.x, top: region.y, width: region.width, height: region.height })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
    .toColourspace('srgb');
  return decoded(
    (hasAlpha ? part.ensureAlpha() : part.removeAlpha()).tiff({ compression: 'none' }).toBuffer(),
  );
}

async function openPixels(bytes: Uint8Array, limits: ImageLimits) {
  const { width, height, data, alpha } = await readImage(bytes, limits);
  const colors = sharp(data, { raw: { width, height, channels: 3 } });
  return alpha === null
    ? colors
    : colors.joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } });
}
