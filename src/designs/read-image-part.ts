/** Reads as much of a photo as a call can use: the region that it names, at the size that it asks for. */
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
  /** Upright. */
  readonly photo: PhotoSize;
}

/** Size and format by the header alone. Throws what `inspectImage` throws, but for what only the pixels show. */
export async function measureImage(bytes: Uint8Array, limits: ImageLimits): Promise<MeasuredPhoto> {
  const { format, width, height } = await readHeader(bytes, limits);
  return { format, photo: { width, height } };
}

/** A TIFF without compression, which costs no time to read again. Throws what `inspectImage` throws. */
export async function readImagePart(
  bytes: Uint8Array,
  limits: ImageLimits,
  { region, width, height }: PhotoPart,
): Promise<Buffer> {
  const { screened, hasAlpha, painted } = await readHeader(bytes, limits);
  // These need work on their pixels before they may be averaged.
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
