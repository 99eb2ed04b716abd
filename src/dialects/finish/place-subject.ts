/** Step: crops the picture to the subject, scales the subject to a share of the canvas, or moves the subject. */
import type { Box, RgbaImage, Size } from '../../pixels.ts';
import { resample } from '../../rendering/resample.ts';
import type { Margins, PictureOrder } from '../order.ts';
import { resolveLength } from '../sizes.ts';
import type { Layer } from './read-layer.ts';

export interface Placing extends Pick<PictureOrder, 'crop' | 'scale' | 'position'> {
  readonly canvas: Size;
}

/** `scale` and `position` have no effect if there is a `crop`. */
export function placeSubject(
  { image, box }: Layer,
  { canvas, crop, scale, position }: Placing,
): Layer & { readonly canvas: Size } {
  if (crop) return { image, ...addMargins(box, crop) };
  if (scale === undefined && position === undefined) return { canvas, image, box };
  const scaled = scale === undefined ? image : scaleTo(image, canvas, scale);
  const { width, height } = scaled;
  const shares = position ?? { x: 0.5, y: 0.5 };
  const x = Math.round((canvas.width - width) * shares.x);
  const y = Math.round((canvas.height - height) * shares.y);
  return { canvas, image: scaled, box: { x, y, width, height } };
}

const mostMarginPx = 500;

function addMargins({ width, height }: Box, margins: Margins): { canvas: Size; box: Box } {
  const [top, right, bottom, left] = margins.map((margin, i) => {
    const side = i % 2 === 0 ? height : width;
    return Math.round(Math.min(resolveLength(margin, side), side / 2, mostMarginPx));
  }) as [number, number, number, number];
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
