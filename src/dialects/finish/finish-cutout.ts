/**
 * Turns the cutout of a photo into the requested picture, step by step: read → solidify → place → shadow →
 * background → encode.
 */
import type { ImageLimits } from '../../designs/read-image.ts';
import type { Box, RgbaImage } from '../../pixels.ts';
import type { Color, Margins, OutputFormat } from '../order.ts';
import type { Size } from '../sizes.ts';
import { layOver, makeBackground } from './background.ts';
import { encodeMatte, encodeResult } from './encode-result.ts';
import { castOnCanvas, type ShadowStyle } from './lay-shadow.ts';
import { placeSubject } from './place-subject.ts';
import { readLayer } from './read-layer.ts';
import { makeBinary, makeSolid } from './solid-matte.ts';

export interface FinishCutout {
  /** RGBA, straight alpha. */
  readonly cutoutPng: Uint8Array;
  /** Box of the subject in the cutout. */
  readonly subject: Box;
  readonly canvas: Size;
  /** The part of the canvas that the cutout covers. */
  readonly region: Box;
  readonly format: OutputFormat;
  readonly channels: 'rgba' | 'alpha';
  readonly crop: Margins | undefined;
  readonly scale: number | undefined;
  readonly position: { readonly x: number; readonly y: number } | undefined;
  readonly background: { readonly color: Color } | { readonly bytes: Uint8Array } | undefined;
  readonly solid: boolean;
  readonly binary: boolean;
  /** The source photo, if its original colors are to be kept. */
  readonly photo: Uint8Array | undefined;
  readonly shadow: ShadowStyle | undefined;
  readonly limits: ImageLimits;
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
