/**
 * Turns the cutout of a photo into the requested picture, step by step: read → solidify → place → shadow →
 * background → encode.
 */
import type { Box, RgbaImage, Size } from '../../pixels.ts';
import type { PictureOrder } from '../order.ts';
import { type Background, layOver, makeBackground } from './background.ts';
import { encodeMatte, encodeResult } from './encode-result.ts';
import { castOnCanvas, type ShadowStyle } from './lay-shadow.ts';
import { type Placing, placeSubject } from './place-subject.ts';
import { type ReadLayer, readLayer } from './read-layer.ts';
import { makeBinary, makeSolid } from './solid-matte.ts';

interface FinishCutout extends ReadLayer, Placing, Pick<PictureOrder, 'format' | 'channels'> {
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
  const { canvas: whole, background, shadow } = order;
  const layer = await readLayer(order);
  if (order.solid) makeSolid(layer.image);
  if (order.binary) makeBinary(layer.image);
  const { canvas, image, box } = placeSubject(layer, { ...order, canvas: whole });
  const placed = { image, x: box.x, y: box.y };
  if (order.channels === 'alpha') {
    const encoded = await encodeMatte(layOver(emptyCanvas(canvas), placed), order.format);
    return { ...encoded, ...canvas, foreground: box };
  }
  const below = background && (await makeBackground(background, canvas, order.limits));
  const cutout = shadow ? castOnCanvas(canvas, placed, shadow) : layOver(emptyCanvas(canvas), placed);
  const picture = below ? layOver(below, { image: cutout, x: 0, y: 0 }) : cutout;
  const encoded = await encodeResult(picture, order.format);
  return { ...encoded, ...canvas, foreground: box };
}

const emptyCanvas = ({ width, height }: Size): RgbaImage => ({
  width,
  height,
  data: new Uint8Array(width * height * 4),
});
