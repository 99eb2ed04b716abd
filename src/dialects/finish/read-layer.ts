/** Reads the subject from the stored cutout, at the scale of the canvas. */
import { type ImageLimits, openPixels, readImage } from 'packshot-photos';
import type { Box, RgbaImage, Size } from 'packshot-pixels';
import sharp, { type Sharp } from 'sharp';
import { scaleBox } from '../sizes.ts';

export interface ReadLayer {
  /** RGBA, straight alpha; undefined if the photo has no subject. */
  readonly cutoutPng: Uint8Array | undefined;
  /** Box of the subject in the cutout. */
  readonly subject: Box;
  /** The part of the canvas that the cutout covers. */
  readonly region: Box;
  /** The photo whose colors replace those of the cutout. */
  readonly photo: Uint8Array | undefined;
  /** Masks over the photo, which is given, too. */
  readonly masks: Masks | undefined;
  readonly limits: ImageLimits;
}

export interface Masks {
  readonly keep: Uint8Array | undefined;
  readonly remove: Uint8Array | undefined;
}

/** An image and its position on the canvas. */
export interface Layer {
  readonly image: RgbaImage;
  readonly box: Box;
}

export async function readLayer({
  cutoutPng,
  subject,
  region,
  photo,
  masks,
  limits,
}: ReadLayer): Promise<Layer> {
  if (!cutoutPng) return { image: { ...sizeOf(subject), data: new Uint8Array(4) }, box: subject };
  const png = sharp(cutoutPng, { failOn: 'error', limitInputPixels: false });
  const { width = 0, height = 0 } = await png.metadata();
  if (photo !== undefined) return readOnPhoto(png, photo, masks, limits);
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

/**
 * The whole photo under the cutout's alpha, changed by the masks. Without masks, all colors are the photo's, also outside
 * the subject; with them, only where a mask keeps more than the cutout has.
 */
async function readOnPhoto(
  png: Sharp,
  photo: Uint8Array,
  masks: Masks | undefined,
  limits: ImageLimits,
): Promise<Layer> {
  const { width, height, data: colors } = await readImage(photo, limits);
  const data = await png.ensureAlpha().raw({ depth: 'uchar' }).toBuffer();
  const read = (mask: Uint8Array | undefined) => mask && readMask(mask, { width, height }, limits);
  const [kept, removed] = [await read(masks?.keep), await read(masks?.remove)];
  for (let i = 0; i < width * height; i++) {
    const alpha = data[4 * i + 3]!;
    const wanted = Math.min(Math.max(alpha, kept?.[i] ?? 0), 255 - (removed?.[i] ?? 0));
    if (!masks || wanted > alpha) for (let c = 0; c < 3; c++) data[4 * i + c] = colors[3 * i + c]!;
    data[4 * i + 3] = wanted;
  }
  return { image: { width, height, data }, box: { x: 0, y: 0, width, height } };
}

/** A mask may be smaller or larger than the photo. */
async function readMask(bytes: Uint8Array, size: Size, limits: ImageLimits): Promise<Buffer> {
  const pixels = await openPixels(await readImage(bytes, limits));
  const grey = pixels.flatten({ background: '#000' }).toColourspace('b-w');
  return grey
    .resize({ ...size, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
}
