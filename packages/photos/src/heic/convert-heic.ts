/**
 * Converts a HEIC photo to JPEG, or to PNG if the photo has transparency. The converted file is stored, and all later
 * steps read it. Runs in a separate process for each photo.
 */

import { type ErrorCode, PackshotError } from 'packshot-errors';
import sharp from 'sharp';
import { checkMaxSize, checkMinSize, type ImageLimits } from '../image-limits.ts';
import { convertToSrgb } from '../wide-gamut.ts';
import { embedInJpeg, embedInPng } from './embed-profile.ts';
import { type HeicColor, HeifError, heifErrors, openHeic } from './libheif.ts';

/**
 * Memory limit that libheif enforces. The process has a higher limit, at which it is killed. A photo of 50 megapixels
 * took 6 bytes per pixel.
 */
const MEMORY_BYTES_PER_PIXEL = 16;
const LEAST_MEMORY_BYTES = 256e6;

/** Code points of color primaries and transfer curves (ITU-T H.273, tables 2 and 3). */
const P3_PRIMARIES = 12;
/** BT.709, unspecified, and both BT.601 variants, which differ less from BT.709 than cameras do from each other. */
const SRGB_LIKE_PRIMARIES = [1, 2, 5, 6];
/** BT.709, unspecified, BT.601 and sRGB, but neither PQ (16) nor HLG (18). */
const SRGB_LIKE_TRANSFERS = [1, 2, 6, 13];

/**
 * Returns the upright primary picture, 8 bits per channel, with the photo's own ICC profile. Throws `image_too_large`,
 * `image_too_small`, `image_undecodable` and, for codecs other than HEVC, `unsupported_image_format`.
 */
export async function convertHeic(bytes: Uint8Array, limits: ImageLimits): Promise<Uint8Array> {
  const { color, channels, ...pixels } = decode(bytes, limits);
  if (color.kind === 'code points' && color.primaries === P3_PRIMARIES)
    convertToSrgb('Display P3', pixels.data, channels);
  const image = sharp(pixels.data, { raw: { ...pixels, channels } });
  if (channels === 4) {
    const png = await image.png({ compressionLevel: 2 }).toBuffer();
    return color.kind === 'icc' ? embedInPng(png, color.profile) : png;
  }
  // At this quality and without chroma subsampling, the only loss is rounding: fewer than half of the values change,
  // and only by 1. Optimized Huffman codes would reduce the file by a tenth but take 0.2 s.
  const jpeg = await image
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer();
  return color.kind === 'icc' ? embedInJpeg(jpeg, color.profile) : jpeg;
}

function decode(bytes: Uint8Array, limits: ImageLimits) {
  try {
    const heic = openHeic(bytes, {
      maxPixels: limits.maxPixels,
      maxMemoryBytes: Math.max(LEAST_MEMORY_BYTES, limits.maxPixels * MEMORY_BYTES_PER_PIXEL),
    });
    checkMaxSize(heic, limits, 'heic');
    checkMinSize(heic, limits);
    const color = heic.readColor();
    refuseHdr(color);
    const { data, width, height, channels } = heic.decode(heic.hasAlpha ? 4 : 3);
    if (heic.isPremultiplied && channels === 4) divideByAlpha(data);
    return { data, width, height, channels, color };
  } catch (error) {
    throw error instanceof HeifError ? refuse(error) : error;
  }
}

const notHevc: readonly [ErrorCode, string] = [
  'unsupported_image_format',
  'The HEIF file is not encoded with HEVC, or uses an unsupported feature. Convert it to JPEG.',
];
const advice: ReadonlyMap<number, readonly [ErrorCode, string]> = new Map([
  [heifErrors.unsupportedFile, notHevc],
  [heifErrors.unsupportedFeature, notHevc],
  [
    heifErrors.memory,
    [
      'image_undecodable',
      'The HEIC photo is larger than its header states, or was cropped from a much larger one. Save it again as JPEG.',
    ],
  ],
]);

function refuse(error: HeifError): PackshotError {
  const damaged = ['image_undecodable', 'The HEIC file is damaged. Save it again, or as JPEG.'] as const;
  const [code, message] = advice.get(error.code) ?? damaged;
  return new PackshotError(code, message, { cause: error });
}

/** An HDR picture without tone mapping would look gray. iPhone photos pass, because their base picture is SDR. */
function refuseHdr(color: HeicColor): void {
  if (color.kind !== 'code points') return;
  const { primaries, transfer } = color;
  const known = primaries === P3_PRIMARIES || SRGB_LIKE_PRIMARIES.includes(primaries);
  if (known && SRGB_LIKE_TRANSFERS.includes(transfer)) return;
  throw new PackshotError(
    'image_undecodable',
    'The HEIC photo is HDR (PQ or HLG) or has wide colors without a profile. Save it as SDR or as JPEG.',
  );
}

/** Converts premultiplied to straight alpha in place; fully transparent pixels keep their color. */
function divideByAlpha(rgba: Uint8Array): void {
  for (let p = 0; p < rgba.length; p += 4) {
    const alpha = rgba[p + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = p; c < p + 3; c++) rgba[c] = Math.min(255, Math.round((rgba[c]! * 255) / alpha));
  }
}
