/** Step: crops the picture to the subject, scales the subject to a share of the canvas, or moves the subject. */
import type { Box, RgbaImage } from '../../pixels.ts';
import { resample } from '../../rendering/resample.ts';
import type { Margins } from '../order.ts';
import { resolveLength, type Size } from '../sizes.ts';
import type { Layer } from './read-layer.ts';

export interface Placing {
  readonly canvas: Size;
  readonly crop: Margins | undefined;
  readonly scale: number | undefined;
  readonly position: { readonly x: number; readonly y: number } | undefined;
}

export interface Placed {
  readonly canvas: Size;
  readonly image: RgbaImage;
  readonly box: Box;
}

/** `scale` and `position` have no effect if there is a `crop`. */
export function placeSubject({ image, box }: Layer, { canvas, crop, scale, position }: Placing): Placed {
  if (crop) return { image, ...addMargins(box, crop) };
  if (scale === undefined && position === undefined) return { canvas, image, box };
  const scaled = scale === undefined ? image : scaleTo(image, canvas, scale);
  const { x, y } = position ?? { x: 0.5, y: 0.5 };
  return {
    canvas,
    image: scaled,
    box: {
      x: Math.round((canvas.width - scaled.width) * x),
      y: Math.round((canvas.height - scaled.height) * y),
      width: scaled.width,
      height: scaled.height,
    },
  };
}

const mostMarginPx = 500;

function addMargins({ width, height }: Box, margins: Margins): { canvas: Size; box: Box } {
  const resolve = (margin: Margins[number], side: number): number =>
    Math.round(Math.min(resolveLength(margin, side), side / 2, mostMarginPx));
  const [top, right, bottom, left] = [
    resolve(margins[0], height),
    resolve(margins[1], width),
    resolve(margins[2], height),
    resolve(margins[3], width),
  ];
  return {
    canvas: { width: left + width + right, height: top + height + bottom },
    box: { x: left, y: top, width, height },
  };
}

/** Scales the image to the largest size that fits into this share of the canvas. */
function scaleTo(image: RgbaImage, canvas: Size, share: number): RgbaImage {
  const factor = Math.min((share * canvas.width) / image.width, (share * canvas.height) / image.height);
  const side = (px: number, most: number): number => Math.min(most, Math.max(1, Math.round(px * factor)));
  return resample(image, side(image.width, canvas.width), side(image.height, canvas.height));
}
