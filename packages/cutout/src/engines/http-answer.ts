/** Makes a matte from a removal service's response: a gray mask, or a picture whose alpha channel is the matte. */

import { PackshotError } from 'packshot-errors';
import { sniffFormat } from 'packshot-photos';
import type { Matte, Size } from 'packshot-pixels';
import sharp from 'sharp';
import { enlargeMatte } from '../steps/enlarge-matte.ts';

/** Maximum number of pixels in a response. */
const MAX_PIXELS = 64e6;
/**
 * A service that shrinks the photo rounds its width and height to whole pixels. Aspect ratios count as equal if their
 * relative difference is at most this plus 1 divided by the shortest side of the two pictures, in pixels.
 */
const RATIO_TOLERANCE = 0.02;
/** JPEG compression of a gray picture changes channels relative to each other by at most this many levels. */
const GRAY_TOLERANCE = 12;

/**
 * Returns a matte of the same size as the photo that was sent. Throws `not_ready` if the bytes are not a picture
 * (services return error pages while they start), and `internal` if the picture cannot be a matte of the photo.
 */
export async function readAnswer(bytes: Uint8Array, sent: Size): Promise<Matte> {
  const { data, info } = await decode(bytes);
  const { width, height } = info;
  const drift = Math.abs((width * sent.height) / (height * sent.width) - 1);
  if (drift > RATIO_TOLERANCE + 1 / Math.min(width, height, sent.width, sent.height))
    throw new PackshotError(
      'internal',
      'The removal service returned a picture with a different aspect ratio than the photo.',
      { cause: new Error(`sent ${sent.width}×${sent.height}, got ${width}×${height}`) },
    );
  const mask = pickMask(data, info.channels);
  return enlargeMatte({ width, height, data: mask }, sent);
}

async function decode(bytes: Uint8Array) {
  try {
    // Only formats that masks use, identified by their signature, reach a decoder.
    const format = sniffFormat(bytes);
    if (!['png', 'webp', 'jpeg'].includes(format)) throw new Error(`a mask in ${format}`);
    return await sharp(bytes, {
      failOn: 'error',
      limitInputPixels: MAX_PIXELS,
      // Mask values are coverage, not colors; a color profile would distort them.
      ignoreIcc: true,
      autoOrient: false,
      animated: false,
    })
      // Converts 16-bit values to 8 bits, and one channel to three.
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw new PackshotError('not_ready', 'The removal service returned no readable picture.', {
      cause: error,
    });
  }
}

/** The alpha channel if it is not fully opaque, otherwise the gray values. */
function pickMask(data: Buffer, channels: number): Uint8Array {
  const size = data.length / channels;
  if (channels === 4) {
    const alpha = new Uint8Array(size);
    let solid = true;
    for (let i = 0; i < size; i++) {
      alpha[i] = data[i * 4 + 3]!;
      if (alpha[i] !== 255) solid = false;
    }
    if (!solid) return alpha;
  }
  const gray = new Uint8Array(size);
  for (let i = 0, p = 0; i < size; i++, p += channels) {
    const [r, g, b] = [data[p]!, data[p + 1]!, data[p + 2]!];
    if (Math.max(r, g, b) - Math.min(r, g, b) > GRAY_TOLERANCE)
      throw new PackshotError(
        'internal',
        'The removal service returned a colored picture without transparency: request the mask, or a PNG with alpha.',
      );
    gray[i] = g;
  }
  return gray;
}
