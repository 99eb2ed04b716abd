/** Step: makes the background: a color, or a picture that covers the canvas. */
import { type ImageLimits, openPixels, readImage } from 'packshot-photos';
import type { RgbaImage, Size } from 'packshot-pixels';
import type { PlacedSubject } from 'packshot-studio';
import type { Color } from '../../named-color.ts';

export type Background = { readonly color: Color } | { readonly bytes: Uint8Array };

/** Throws the errors of `readImage`. */
export async function makeBackground(
  background: Background,
  canvas: Size,
  limits: ImageLimits,
): Promise<RgbaImage> {
  const { width, height } = canvas;
  if ('color' in background) {
    return { width, height, data: Buffer.alloc(width * height * 4, Buffer.from(background.color)) };
  }
  const photo = await readImage(background.bytes, limits, 'keep');
  const whole = (await openPixels(photo)).ensureAlpha();
  const isExact = photo.width === width && photo.height === height;
  const fitted = isExact
    ? whole
    : whole.resize({ width, height, fit: 'cover', position: 'centre', kernel: 'lanczos3' });
  return { width, height, data: await fitted.raw({ depth: 'uchar' }).toBuffer() };
}

/** Porter-Duff `over` with straight alpha; modifies the lower picture in place. */
export function layOver(below: RgbaImage, { image, x, y }: PlacedSubject): RgbaImage {
  const target = below.data;
  const source = image.data;
  for (let row = 0; row < image.height; row++) {
    let from = row * image.width * 4;
    let to = ((y + row) * below.width + x) * 4;
    for (let column = 0; column < image.width; column++, from += 4, to += 4) {
      const alpha = source[from + 3]!;
      const under = target[to + 3]!;
      if (alpha === 255 || under === 0) {
        target[to] = source[from]!;
        target[to + 1] = source[from + 1]!;
        target[to + 2] = source[from + 2]!;
        target[to + 3] = alpha;
      } else if (alpha > 0) {
        const rest = (under * (255 - alpha)) / 255;
        const both = alpha + rest;
        target[to] = (source[from]! * alpha + target[to]! * rest) / both + 0.5;
        target[to + 1] = (source[from + 1]! * alpha + target[to + 1]! * rest) / both + 0.5;
        target[to + 2] = (source[from + 2]! * alpha + target[to + 2]! * rest) / both + 0.5;
        target[to + 3] = both + 0.5;
      }
    }
  }
  return below;
}
