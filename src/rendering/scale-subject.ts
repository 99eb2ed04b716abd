/** Step: the subject out of the cutout, at its size on the canvas, without resampling halos. */
import sharp from 'sharp';
import type { Box, RgbaImage } from '../pixels.ts';
import { resample } from './resample.ts';

export async function scaleSubject(cutoutPng: Buffer, box: Box, size: Box): Promise<RgbaImage> {
  const data = await sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
    .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
  const crop = { width: box.width, height: box.height, data };
  // Not with sharp: it clips premultiplied alpha, which leaves the filter's overshoot in the colour of the rim.
  return box.width === size.width && box.height === size.height
    ? crop
    : resample(crop, size.width, size.height);
}
