/** Step: encodes the picture in the requested format, without metadata. */
import { buffer } from 'node:stream/consumers';
import { dropDensity } from 'packshot-photos';
import type { RgbaImage } from 'packshot-pixels';
import sharp, { type Sharp } from 'sharp';
import { ZipFile } from 'yazl';
import type { PictureOrder } from '../order.ts';
import { extendColors } from './extend-colors.ts';

export type Encoding = Pick<PictureOrder, 'format' | 'quality' | 'dpi'>;

interface EncodedResult {
  readonly bytes: Buffer;
  readonly contentType: string;
}

const png = { compressionLevel: 2, adaptiveFiltering: false, palette: false } as const;
const jpeg = { quality: 94, chromaSubsampling: '4:4:4', optimiseCoding: true } as const;
const webp = { quality: 92, alphaQuality: 100, smartSubsample: true, effort: 3 } as const;
const avif = { quality: 72, effort: 3 } as const;
const white = '#ffffff';

/** `auto` is PNG if any pixel is transparent, else JPEG. In a JPEG, transparency becomes white. */
export async function encodeResult(
  picture: RgbaImage,
  { format: asked, quality, dpi }: Encoding,
): Promise<EncodedResult> {
  const format = asked === 'auto' ? (isOpaque(picture) ? 'jpg' : 'png') : asked;
  const { width, height, data } = picture;
  const plain = sharp(data, { raw: { width, height, channels: 4 } });
  const pixels = dpi === undefined ? plain : plain.withDensity(dpi);
  const chosen = quality === undefined ? {} : { quality };
  switch (format) {
    case 'png': {
      const bytes = await pixels.png(png).toBuffer();
      return { bytes: dpi === undefined ? dropDensity(bytes) : bytes, contentType: 'image/png' };
    }
    case 'webp':
      return { bytes: await pixels.webp({ ...webp, ...chosen }).toBuffer(), contentType: 'image/webp' };
    case 'avif':
      return { bytes: await pixels.avif({ ...avif, ...chosen }).toBuffer(), contentType: 'image/avif' };
    case 'jpg':
      return {
        bytes: await pixels
          .flatten({ background: white })
          .jpeg({ ...jpeg, ...chosen })
          .toBuffer(),
        contentType: 'image/jpeg',
      };
    case 'zip': {
      const colors = sharp(extendColors(picture), { raw: { width, height, channels: 3 } });
      const [color, alpha] = await Promise.all([
        colors.jpeg(jpeg).toBuffer(),
        openMatte(picture).png(png).toBuffer(),
      ]);
      const files = { 'color.jpg': color, 'alpha.png': alpha };
      return { bytes: await packZip(files), contentType: 'application/zip' };
    }
  }
}

/** Encodes only the matte, as grayscale; a ZIP contains the colors as well. */
export async function encodeMatte(picture: RgbaImage, encoding: Encoding): Promise<EncodedResult> {
  const grey = openMatte(picture);
  switch (encoding.format) {
    case 'jpg':
      return { bytes: await grey.jpeg(jpeg).toBuffer(), contentType: 'image/jpeg' };
    case 'webp':
      return { bytes: await grey.webp({ lossless: true, effort: 2 }).toBuffer(), contentType: 'image/webp' };
    case 'zip':
      return encodeResult(picture, encoding);
    default:
      return { bytes: dropDensity(await grey.png(png).toBuffer()), contentType: 'image/png' };
  }
}

function isOpaque({ data }: RgbaImage): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

function openMatte({ width, height, data }: RgbaImage): Sharp {
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[4 * i + 3]!;
  return sharp(alpha, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
}

/** A fixed date, so that the same files always give the same bytes. */
const mtime = new Date(1980, 0, 1);

/** Packs files that are compressed already (APPNOTE 6.3). */
async function packZip(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name, { compress: false, mtime });
  zip.end();
  return buffer(zip.outputStream);
}
