/**
 * Turns the cutout of a photo into the requested picture, step by step: read → solidify → place → shadow →
 * background → encode.
 */
import type { Box, RgbaImage, Size } from 'packshot-pixels';
import type { PictureOrder } from '../order.ts';
import { type Background, layOver, makeBackground } from './background.ts';
import { type Encoding, encodeMatte, encodeResult } from './encode-result.ts';
import { castOnCanvas, type ShadowStyle } from './lay-shadow.ts';
import { cropToContents, type Placing, placeSubject } from './place-subject.ts';
import { type ReadLayer, readLayer } from './read-layer.ts';
import { makeBinary, makeSolid } from './solid-matte.ts';

interface FinishCutout extends ReadLayer, Placing, Encoding, Pick<PictureOrder, 'channels'> {
  readonly background: Background | undefined;
  readonly solid: boolean;
  readonly binary: boolean;
  readonly shadow: ShadowStyle | undefined;
}

export interface FinishedPicture extends Size {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Box of the subject in the picture. */
  readonly foreground: Box;
}

/** Throws the errors of `readImage` for a background. */
export async function finishCutout(order: FinishCutout): Promise<FinishedPicture> {
  const { canvas: whole, shadow } = order;
  const layer = await readLayer(order);
  if (order.solid) makeSolid(layer.image);
  if (order.binary) makeBinary(layer.image);
  if (order.crop && shadow && order.channels !== 'alpha') {
    const { image, box } = layer;
    const cast = castOnCanvas(whole, { image, x: box.x, y: box.y }, shadow);
    const { canvas, foreground, ...cropped } = cropToContents(cast, box, order.crop);
    return layOnBackground(
      order,
      canvas,
      layOver(emptyCanvas(canvas), { ...cropped, ...cropped.box }),
      foreground,
    );
  }
  const { canvas, image, box } = placeSubject(layer, { ...order, canvas: whole });
  const placed = { image, x: box.x, y: box.y };
  if (order.channels === 'alpha') {
    const encoded = await encodeMatte(layOver(emptyCanvas(canvas), placed), order);
    return { ...encoded, ...canvas, foreground: box };
  }
  const cutout = shadow ? castOnCanvas(canvas, placed, shadow) : layOver(emptyCanvas(canvas), placed);
  return layOnBackground(order, canvas, cutout, box);
}

async function layOnBackground(
  { background, limits, ...encoding }: FinishCutout,
  canvas: Size,
  cutout: RgbaImage,
  foreground: Box,
): Promise<FinishedPicture> {
  const below = background && (await makeBackground(background, canvas, limits));
  const picture = below ? layOver(below, { image: cutout, x: 0, y: 0 }) : cutout;
  return { ...(await encodeResult(picture, encoding)), ...canvas, foreground };
}

const emptyCanvas = ({ width, height }: Size): RgbaImage => ({
  width,
  height,
  data: new Uint8Array(width * height * 4),
});
