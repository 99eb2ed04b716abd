/** Step: the subject out of the cutout, at its size on the canvas, without resampling halos. */
import sharp from 'sharp';
import type { Box, RgbaImage } from '../pixels.ts';

/**
 * Lanczos overshoots at the subject's rim. Colours are resampled premultiplied, so a clipped alpha would leave
 * the overshoot in the colour (a grey disc of 128 came out as 109 to 143). With headroom the alpha overshoots
 * along, and the division takes both out.
 */
const ALPHA_HEADROOM = 224 / 255;

/** Alpha below this (and above 255 less this) is the kernel's ripple, not the matte's: 1.5 % of full. */
const ALPHA_RIPPLE = 4;

export async function scaleSubject(cutoutPng: Buffer, box: Box, size: Box): Promise<RgbaImage> {
  const { width, height } = size;
  const crop = await sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
    .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
  if (box.width === width && box.height === height) {
    return { width, height, data: crop };
  }
  for (let i = 3; i < crop.length; i += 4) {
    crop[i] = Math.round(crop[i]! * ALPHA_HEADROOM);
  }
  const data = await sharp(crop, { raw: { width: box.width, height: box.height, channels: 4 } })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
    .raw({ depth: 'uchar' })
    .toBuffer();
  restoreAlpha(data);
  return { width, height, data };
}

function restoreAlpha(data: Buffer): void {
  const levels = new Uint8Array(256);
  for (let value = 0; value < 256; value++) {
    const alpha = value / ALPHA_HEADROOM;
    levels[value] = Math.min(
      255,
      Math.max(0, Math.round(((alpha - ALPHA_RIPPLE) * 255) / (255 - 2 * ALPHA_RIPPLE))),
    );
  }
  for (let i = 0; i < data.length; i += 4) {
    const alpha = levels[data[i + 3]!]!;
    data[i + 3] = alpha;
    if (alpha === 0) {
      data[i] = 0;
      data[i + 1] = 0;
      data[i + 2] = 0;
    }
  }
}
