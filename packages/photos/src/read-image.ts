/**
 * Reads untrusted files: detects the format, checks the limits, decodes. Every upload reaches a decoder only through
 * this module, except that HEIC files are first converted in `heic/`.
 */
import { createHash } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { Box, Size } from 'packshot-pixels';
import sharp, { type Sharp } from 'sharp';
import { saysAdobeRgb } from './exif.ts';
import { checkMaxSize, checkMinSize, type ImageLimits } from './image-limits.ts';
import { type AlphaWish, clearOutside, type SplitPhoto, splitAlpha } from './photo-alpha.ts';
import { screenFile } from './screen-file.ts';
import type { Screened } from './screens/screen.ts';
import { heicAdvice, type ImageFormat, sniffFormat } from './sniff-format.ts';
import { convertToSrgb } from './wide-gamut.ts';

/** Photo metadata in the response to an upload. Width and height are those after the EXIF rotation. */
export interface ImageFacts {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The color space found in the file: `srgb`, `cmyk`, `b-w`, `rgb16`, … Decoding converts all of them to sRGB. */
  readonly colorSpace: string;
  readonly hasAlpha: boolean;
}

/** The trusted, decoded photo: upright 8-bit sRGB without metadata. */
export type Source = SplitPhoto;

/** A 50 megapixel AVIF takes 3 s to decode; a file that takes longer than this limit is an attack. */
const DECODE_LIMIT_S = 10;

/**
 * Unsigned integer types, which decode correctly. Floats do so only in the color spaces of `floatSpaces`. Signed and
 * 32-bit integers would be cut to one byte.
 */
const readableDepths = ['uchar', 'ushort'];
/**
 * Color spaces in which float samples have a defined scale: linear RGB and Lab. Gray or CMYK floats from 0 to 1 would
 * decode to black or white.
 */
const floatSpaces = ['scrgb', 'lab'];

/** Checks the limits against the header, then decodes the file once in full, so that no broken file gets an ID. */
export async function inspectImage({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
}): Promise<ImageFacts> {
  const header = await readHeader(bytes, limits);
  const image = openImage(header.screened, limits);
  // Shrinking while decoding needs only a fraction of the memory. `linear` averages every row of the file; `nearest`
  // would skip the last rows, and so miss the end of the compressed data and its checksum. Apart from that, the steps
  // are the same as in `readImage`, so that a file that passes here cannot fail there.
  await makePixels(image.resize({ width: 64, height: 64, fit: 'inside', kernel: 'linear' }), header.hasAlpha);
  return {
    format: header.format,
    width: header.width,
    height: header.height,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    colorSpace: header.colorSpace,
    hasAlpha: header.hasAlpha,
  };
}

/** Decodes to upright 8-bit sRGB. Throws the errors of `inspectImage`. */
export async function readImage(
  bytes: Uint8Array,
  limits: ImageLimits,
  alpha: AlphaWish = 'auto',
): Promise<Source> {
  const { screened, hasAlpha, painted, gamut } = await readHeader(bytes, limits);
  const { width, height, channels, data } = await makePixels(openImage(screened, limits), hasAlpha);
  if (gamut) convertToSrgb(gamut, data, channels);
  if (channels === 3) return { width, height, data, alpha: null, clip: null };
  if (painted) clearOutside(painted, { width, height, data });
  return splitAlpha({ width, height, data }, alpha);
}

export function openImage(screened: Screened, limits: ImageLimits): Sharp {
  return sharp(screened.bytes, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: limits.maxPixels,
    unlimited: false,
    sequentialRead: true,
    pages: 1,
  }).timeout({ seconds: DECODE_LIMIT_S });
}

/** Returns upright sRGB pixels with three channels, or four if the photo has alpha. */
async function makePixels(image: Sharp, hasAlpha: boolean) {
  const srgb = image.toColourspace('srgb');
  const channels: 3 | 4 = hasAlpha ? 4 : 3;
  const { data, info } = await decoded(
    (hasAlpha ? srgb.ensureAlpha() : srgb.removeAlpha())
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const { width, height } = info;
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.length);
  return { width, height, channels, data: leadingChannels(pixels, info.channels, channels) };
}

/** TIFFs of scanners and Photoshop may have extra channels after alpha: drop them. */
function leadingChannels(pixels: Uint8Array, from: number, to: number): Uint8Array {
  if (from === to) return pixels;
  if (from < to) throw undecodable(new Error(`decoded to ${from} channels instead of ${to}`));
  const leading = new Uint8Array((pixels.length / from) * to);
  for (let p = 0, q = 0; p < pixels.length; p += from, q += to) {
    for (let c = 0; c < to; c++) leading[q + c] = pixels[p + c]!;
  }
  return leading;
}

export async function readHeader(bytes: Uint8Array, limits: ImageLimits) {
  if (bytes.byteLength > limits.maxBytes) {
    throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
  }
  const format = sniffFormat(bytes);
  // HEIC is converted earlier, in a separate process (`heic/`). A HEIC file gets here only if the operator has disabled
  // the conversion.
  if (format === 'heic') throw new PackshotError('unsupported_image_format', heicAdvice);
  const screened = screenFile(bytes, format);
  // Checked before decoding, because the decoder reports sizes outside its own range with other messages.
  if (screened.claimed) checkMaxSize(screened.claimed, limits, format);
  // Without a pixel limit, because the error must be able to report the size. The time to read a header does not depend
  // on the number of pixels.
  const metadata = await decoded(
    sharp(screened.bytes, {
      autoOrient: true,
      failOn: 'error',
      limitInputPixels: false,
      unlimited: false,
      pages: 1,
    }).metadata(),
  );
  const { width, height } = metadata.autoOrient ?? metadata;
  checkMaxSize({ width, height }, limits, format);
  checkMinSize({ width, height }, limits);
  const { depth, space = 'unknown' } = metadata;
  if (!readableDepths.includes(depth) && !(depth === 'float' && floatSpaces.includes(space))) {
    throw new PackshotError(
      'image_undecodable',
      'The samples are neither 8- or 16-bit unsigned integers nor RGB floats. Save the picture with 8 or 16 bits per channel.',
    );
  }
  if (screened.otherEnd) await checkEnd(screened, screened.otherEnd, limits);
  const painted = screened.painted && !covers(screened.painted, { width, height }) ? screened.painted : null;
  const hasAlpha = metadata.hasAlpha || painted !== null;
  const { exif, icc, density } = metadata;
  const isAdobeRgb = space === 'srgb' && !icc && exif !== undefined && saysAdobeRgb(exif);
  const gamut = screened.gamut ?? (isAdobeRgb ? ('Adobe RGB' as const) : undefined);
  return {
    ...{ format, screened, width, height, painted, hasAlpha, gamut },
    ...{ colorSpace: space, exif, density },
  };
}

/**
 * If blocks are missing before the end mark, the decoder invents them without an error. What it invents differs between
 * `screened.bytes` and `otherEnd`, so different pixels reveal that blocks are missing.
 */
async function checkEnd(screened: Screened, otherEnd: Uint8Array, limits: ImageLimits): Promise<void> {
  const one = await makePixels(openImage(screened, limits), false);
  const other = await makePixels(openImage({ bytes: otherEnd }, limits), false);
  if (Buffer.compare(one.data, other.data) !== 0) throw undecodable(new Error('blocks are missing'));
}

/**
 * Replaces a decoder's error with our own, without the library's message. Handles no error about the size, because the
 * caller has already checked the size.
 */
export async function decoded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw undecodable(error);
  }
}

function undecodable(cause: unknown): PackshotError {
  const late = cause instanceof Error && cause.message.startsWith('timeout:');
  return new PackshotError(
    'image_undecodable',
    late
      ? `The picture takes longer than ${DECODE_LIMIT_S} s to decode. Save it smaller, or as JPEG or PNG.`
      : 'The file is damaged or uses an unsupported feature. Save it again as JPEG or PNG.',
    { cause },
  );
}

function covers({ x, y, width, height }: Box, canvas: Size): boolean {
  return x === 0 && y === 0 && width >= canvas.width && height >= canvas.height;
}

export type { ImageFormat, ImageLimits };
