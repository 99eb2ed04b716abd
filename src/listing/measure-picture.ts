/** Measures a picture file for a listing check: its format, its pixels and the origin stated in its metadata. */

import { decoded, type ImageFormat, type ImageLimits, readHeader, readImage } from 'packshot-photos';
import sharp from 'sharp';
import { measurePixels, type PixelMeasures } from './measure-pixels.ts';

export interface PictureMeasures extends PixelMeasures {
  readonly format: ImageFormat;
  readonly bytes: number;
  /** After applying the orientation, in pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly longestSidePx: number;
  readonly shortestSidePx: number;
  readonly megapixels: number;
  /** Width divided by height. */
  readonly ratio: number;
  readonly colorModel: 'rgb' | 'cmyk' | 'gray' | 'other';
  /** `none` if the file has no profile; its colors are then taken as sRGB. */
  readonly profile: string;
  readonly bitsPerChannel: number;
  readonly hasAlpha: boolean;
  readonly frames: number;
  /** Name of IPTC's digital source type, such as `compositeSynthetic`; `none` if the file states none. */
  readonly provenance: string;
}

/** Decodes an untrusted file. Throws the errors of `readImage`. */
export async function measurePicture({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
}): Promise<PictureMeasures> {
  const { format, screened, width, height, hasAlpha, colorSpace, gamut } = await readHeader(bytes, limits);
  const { depth, icc, xmp, pages } = await decoded(
    sharp(screened.bytes, { limitInputPixels: false, pages: -1 }).metadata(),
  );
  return {
    format,
    bytes: bytes.byteLength,
    widthPx: width,
    heightPx: height,
    longestSidePx: Math.max(width, height),
    shortestSidePx: Math.min(width, height),
    megapixels: (width * height) / 1e6,
    ratio: width / height,
    colorModel: colorModels[colorSpace] ?? 'other',
    profile: gamut ?? (icc ? nameProfile(icc) : 'none'),
    bitsPerChannel: depth === 'uchar' ? 8 : 16,
    hasAlpha,
    frames: countFrames(bytes, format, pages),
    provenance: xmp ? findProvenance(xmp) : 'none',
    ...measurePixels(await readImage(bytes, limits, 'keep')),
  };
}

const colorModels: Readonly<Record<string, PictureMeasures['colorModel']>> = {
  srgb: 'rgb',
  rgb: 'rgb',
  rgb16: 'rgb',
  scrgb: 'rgb',
  cmyk: 'cmyk',
  'b-w': 'gray',
  grey16: 'gray',
};

/** Counts frames in the original file, because only the first frame of an animation is decoded. */
function countFrames(bytes: Uint8Array, format: ImageFormat, pages = 1): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Graphic control extensions of GIF (GIF89a, section 23), and frames of WebP (RFC 9649).
  if (format === 'gif') return Math.max(1, countOf(file, Buffer.from([0x21, 0xf9, 0x04])));
  if (format === 'webp') return Math.max(1, countOf(file, Buffer.from('ANMF')));
  return pages;
}

function countOf(file: Buffer, mark: Buffer): number {
  let count = 0;
  for (let at = file.indexOf(mark); at !== -1; at = file.indexOf(mark, at + 1)) count++;
  return count;
}

/** Reads a profile's tag `desc`: text after a count (ICC.1:2001, 6.5.17), or UTF-16 in a table (ICC.1:2022, 10.15). */
function nameProfile(icc: Buffer): string {
  const count = icc.length > 132 ? Math.min(icc.readUInt32BE(128), 100) : 0;
  for (let entry = 132; entry < 132 + count * 12 && entry + 12 <= icc.length; entry += 12) {
    if (icc.toString('latin1', entry, entry + 4) !== 'desc') continue;
    const at = icc.readUInt32BE(entry + 4);
    const text = icc.subarray(at, at + icc.readUInt32BE(entry + 8));
    const name =
      text.toString('latin1', 0, 4) === 'mluc'
        ? Buffer.from(text.subarray(28)).toString('latin1').replaceAll('\0', '')
        : text.toString('latin1', 12).split('\0')[0]!;
    return (
      name
        .replace(/[^\x20-\x7e]/g, '')
        .trim()
        .slice(0, 80) || 'unnamed'
    );
  }
  return 'unnamed';
}

/** Reads Digital Source Type (IPTC Photo Metadata 2023.1) from an attribute or an element of XMP. */
function findProvenance(xmp: Buffer): string {
  const text = xmp.subarray(0, 1e6).toString('utf8');
  return /digitalsourcetype\/([A-Za-z]{3,60})/.exec(text)?.[1] ?? 'none';
}
