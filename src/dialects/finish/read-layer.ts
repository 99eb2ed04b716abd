/** Reads the subject from the stored cutout, at the scale of the canvas. */
import sharp, { type Sharp } from 'sharp';
import { type ImageLimits, readImage } from '../../designs/read-image.ts';
import type { Box, RgbaImage } from '../../pixels.ts';
import { scaleBox } from '../sizes.ts';

export interface ReadLayer {
  /** RGBA, straight alpha. */
  readonly cutoutPng: Uint8Array;
  /** Box of the subject in the cutout. */
  readonly subject: Box;
  /** The part of the canvas that the cutout covers. */
  readonly region: Box;
  /** The photo whose colors replace those of the cutout. */
  readonly photo: Uint8Array | undefined;
  readonly limits: ImageLimits;
}

/** An image and its position on the canvas. */
export interface Layer {
  readonly image: RgbaImage;
  readonly box: Box;
}

export async function readLayer({ cutoutPng, subject, region, photo, limits }: ReadLayer): Promise<Layer> {
  const png = sharp(cutoutPng, { failOn: 'error', limitInputPixels: false });
  const { width = 0, height = 0 } = await png.metadata();
  if (photo !== undefined) return readOwnColors(png, photo, limits);
  const isSameSize = width === region.width && height === region.height;
  const box = isSameSize ? subject : scaleBox(subject, { width, height }, region);
  const sized = isSameSize
    ? png
    : sharp(
        await png
          .resize({ ...sizeOf(region), fit: 'fill', kernel: 'lanczos3' })
          .raw()
          .toBuffer(),
        { raw: { ...sizeOf(region), channels: 4 } },
      );
  const data = await sized
    .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { image: { ...sizeOf(box), data }, box: { ...box, x: region.x + box.x, y: region.y + box.y } };
}

const sizeOf = ({ width, height }: Box) => ({ width, height });

/** Reads the whole photo, so that pixels outside the subject keep their colors, too. */
async function readOwnColors(png: Sharp, photo: Uint8Array, limits: ImageLimits): Promise<Layer> {
  const { width, height, data: colors } = await readImage(photo, limits);
  const data = await png.ensureAlpha().raw({ depth: 'uchar' }).toBuffer();
  for (let p = 0, q = 0; p < data.length; p += 4, q += 3) {
    data[p] = colors[q]!;
    data[p + 1] = colors[q + 1]!;
    data[p + 2] = colors[q + 2]!;
  }
  return { image: { width, height, data }, box: { x: 0, y: 0, width, height } };
}
