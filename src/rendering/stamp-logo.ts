/** Draws a shop's logo into a corner of a finished picture. */

import type { RgbaImage } from 'packshot-pixels';
import sharp from 'sharp';
import type { Stampable } from './stamp-sample.ts';

export const logoCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

export interface StampedLogo {
  /** An image file that `inspectImage` accepted. */
  readonly bytes: Uint8Array;
  readonly corner?: (typeof logoCorners)[number] | undefined;
  /** Width as a share of the picture's shorter side, 0.05 to 0.5. A logo is at most half as high. */
  readonly size?: number | undefined;
}

const usualSize = 0.18;
/** Free border around the logo, as a share of the picture's shorter side. */
const border = 0.04;

/** Modifies the picture in place, and enlarges no logo. */
export async function stampLogo(
  picture: Stampable,
  { bytes, corner, size = usualSize }: StampedLogo,
): Promise<void> {
  const logo = await readLogo(bytes, size * Math.min(picture.width, picture.height));
  const gap = Math.round(border * Math.min(picture.width, picture.height));
  const left = corner?.endsWith('left') ? gap : picture.width - gap - logo.width;
  const top = corner?.startsWith('top') ? gap : picture.height - gap - logo.height;
  const { data, channels } = picture;
  for (let y = 0; y < logo.height; y++) {
    for (let x = 0; x < logo.width; x++) {
      const from = 4 * (y * logo.width + x);
      const to = channels * ((top + y) * picture.width + left + x);
      const alpha = logo.data[from + 3]! / 255;
      const below = (channels === 4 ? data[to + 3]! / 255 : 1) * (1 - alpha);
      if (alpha + below === 0) continue;
      for (let c = 0; c < 3; c++)
        data[to + c] = Math.round((logo.data[from + c]! * alpha + data[to + c]! * below) / (alpha + below));
      if (channels === 4) data[to + 3] = Math.round(255 * (alpha + below));
    }
  }
}

/** RGBA with straight alpha, inside a box of this width and half this height, in pixels. */
async function readLogo(bytes: Uint8Array, boxWidth: number): Promise<RgbaImage> {
  const box = { width: Math.max(1, Math.round(boxWidth)), height: Math.max(1, Math.round(boxWidth / 2)) };
  // Scaled by the decoder, because any photo that may be uploaded may be a logo.
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .autoOrient()
    .toColourspace('srgb')
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}
