/** Reads foreign bytes: names the format, checks the limits, decodes. No other file lets a decoder see an upload. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { PackshotError } from '../errors.ts';
import type { RgbImage } from '../pixels.ts';
import { type ImageFormat, sniffFormat } from './sniff-format.ts';

export interface ImageLimits {
  readonly maxBytes: number;
  readonly maxPixels: number;
  /** AVIF decodes need about 20 bytes of memory a pixel, three times the others: a cap of its own. */
  readonly maxAvifPixels: number;
  readonly minSidePx: number;
  readonly maxSidePx: number;
}

/** What an upload's answer says about the photo. Sizes are as seen, after the EXIF turn. */
export interface ImageFacts {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  /** As found in the file: `srgb`, `cmyk`, `b-w`, `rgb16`, … Everything after decoding is sRGB. */
  readonly colorSpace: string;
  readonly hasAlpha: boolean;
}

/** The trusted, decoded photo: upright 8-bit sRGB without metadata. */
export interface Source extends RgbImage {
  /** One byte a pixel where the photo brings real transparency of its own, else null. */
  readonly alpha: Uint8Array | null;
}

// Only these six loaders may ever run, whatever a sniffed header claims.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Tiff', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
});
// The process decodes each file once: libvips' operation cache would only hold dead pixels.
sharp.cache(false);

/** Share of fully transparent pixels from which an alpha channel counts as a cutout, not as rounded corners. */
const REAL_TRANSPARENCY = 0.01;

/** Checks the limits against the header, then decodes once in full, so that no broken file gets an id. */
export async function inspectImage(bytes: Uint8Array, limits: ImageLimits): Promise<ImageFacts> {
  const { format, metadata, width, height } = await readHeader(bytes, limits);
  // Shrinking while decoding still reads every byte of the file, at a fraction of the memory.
  await decoded(
    openImage(bytes, limits)
      .resize({ width: 64, height: 64, fit: 'inside', kernel: 'nearest' })
      .raw()
      .toBuffer(),
  );
  return {
    format,
    width,
    height,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    colorSpace: metadata.space ?? 'unknown',
    hasAlpha: metadata.hasAlpha ?? false,
  };
}

/** Decodes to upright 8-bit sRGB. Throws what `inspectImage` throws. */
export async function readImage(bytes: Uint8Array, limits: ImageLimits): Promise<Source> {
  const { metadata } = await readHeader(bytes, limits);
  const image = openImage(bytes, limits).toColourspace('srgb');
  if (!metadata.hasAlpha) {
    return { ...(await decoded(toPixels(image.removeAlpha(), 3))), alpha: null };
  }
  const { width, height, data } = await decoded(toPixels(image.ensureAlpha(), 4));
  return splitAlpha(width, height, data);
}

function openImage(bytes: Uint8Array, limits: ImageLimits): Sharp {
  return sharp(bytes, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: limits.maxPixels,
    unlimited: false,
    sequentialRead: true,
    pages: 1,
  });
}

async function toPixels(image: Sharp, channels: 3 | 4) {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (info.channels !== channels) {
    throw new Error(`decoded to ${info.channels} channels where ${channels} were asked for`);
  }
  return {
    width: info.width,
    height: info.height,
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
  };
}

async function readHeader(bytes: Uint8Array, limits: ImageLimits) {
  if (bytes.byteLength > limits.maxBytes) {
    throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
  }
  const format = sniffFormat(bytes);
  const metadata = await decoded(openImage(bytes, limits).metadata());
  const { width, height } = metadata.autoOrient ?? metadata;
  checkSize(format, width, height, limits);
  return { format, metadata, width, height };
}

function checkSize(format: ImageFormat, width: number, height: number, limits: ImageLimits): void {
  if (Math.min(width, height) < limits.minSidePx) {
    throw new PackshotError(
      'image_too_small',
      `The picture is ${width}×${height} px; each side needs at least ${limits.minSidePx} px.`,
    );
  }
  const maxPixels = format === 'avif' ? Math.min(limits.maxAvifPixels, limits.maxPixels) : limits.maxPixels;
  if (width * height > maxPixels || Math.max(width, height) > limits.maxSidePx) {
    throw new PackshotError(
      'image_too_large',
      `The picture is ${width}×${height} px; at most ${maxPixels / 1e6} megapixels and ${limits.maxSidePx} px a side are read.`,
    );
  }
}

/** Turns a decoder's complaint into the caller's error, without the library's words. */
async function decoded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PackshotError) throw error;
    if (error instanceof Error && /pixel limit|too large|dimensions/i.test(error.message)) {
      throw new PackshotError('image_too_large', 'The picture has more pixels than are read here.', {
        cause: error,
      });
    }
    throw new PackshotError(
      'image_undecodable',
      'The file is damaged or uses a feature that is not decoded here.',
      {
        cause: error,
      },
    );
  }
}

function splitAlpha(width: number, height: number, rgba: Uint8Array): Source {
  const pixels = width * height;
  const data = new Uint8Array(pixels * 3);
  const alpha = new Uint8Array(pixels);
  let clear = 0;
  for (let i = 0, p = 0, q = 0; i < pixels; i++, p += 3, q += 4) {
    const a = rgba[q + 3]!;
    alpha[i] = a;
    if (a < 8) clear++;
    data[p] = rgba[q]!;
    data[p + 1] = rgba[q + 1]!;
    data[p + 2] = rgba[q + 2]!;
  }
  if (clear >= pixels * REAL_TRANSPARENCY) return { width, height, data, alpha };
  // What lies under a stray transparent pixel was never meant to be seen: show it as a viewer would, on white.
  for (let i = 0, p = 0; i < pixels; i++, p += 3) {
    const a = alpha[i]!;
    if (a === 255) continue;
    for (let c = p; c < p + 3; c++) data[c] = Math.round((data[c]! * a + 255 * (255 - a)) / 255);
  }
  return { width, height, data, alpha: null };
}

export type { ImageFormat };
