/** Computes which part of a photo a correction can change. */
import type { Box } from '../pixels.ts';
import type { Correction } from './correction.ts';

/** Margin around boxes and polygons if there are no strokes, as a fraction of the photo's longer side. */
const MARGIN_SHARE = 0.04;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the bounding box of the marks, enlarged on each side by the distance that the strokes' effect may reach:
 * `most`, as a fraction of the photo's longer side, or the strokes' own extent if that is larger. Without strokes, the
 * box is enlarged by `MARGIN_SHARE`. `null` if the marks lie outside the photo.
 */
export function findArea(
  { width, height }: Size,
  { strokes, boxes, polygons }: Pick<Correction, 'strokes' | 'boxes' | 'polygons'>,
  most = 0,
): Box | null {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  let margin = MARGIN_SHARE * Math.max(width, height);
  const add = (x: number, y: number, radius: number): void => {
    left = Math.min(left, x - radius);
    right = Math.max(right, x + radius);
    top = Math.min(top, y - radius);
    bottom = Math.max(bottom, y + radius);
  };
  for (const { radius, points } of strokes) for (const [x, y] of points) add(x, y, radius);
  if (strokes.length > 0) margin = Math.max(most * Math.max(width, height), right - left, bottom - top);
  for (const box of boxes) {
    add(box.x, box.y, 0);
    add(box.x + box.width, box.y + box.height, 0);
  }
  for (const { points } of polygons) for (const [x, y] of points) add(x, y, 0);
  return roundOut(
    { left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin },
    { width, height },
  );
}

/** The box enlarged by this many pixels on each side, clipped to the photo. */
export function growBox(
  { x, y, width, height }: Box,
  by: { readonly x: number; readonly y: number },
  photo: Size,
): Box {
  const sides = { left: x - by.x, top: y - by.y, right: x + width + by.x, bottom: y + height + by.y };
  return roundOut(sides, photo)!;
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The smallest whole-pixel box that contains the sides, clipped to the photo; `null` if it is empty. */
export function roundOut(sides: Sides, { width, height }: Size): Box | null {
  const x = Math.max(0, Math.floor(sides.left));
  const y = Math.max(0, Math.floor(sides.top));
  const right = Math.min(width, Math.ceil(sides.right));
  const bottom = Math.min(height, Math.ceil(sides.bottom));
  return right <= x || bottom <= y ? null : { x, y, width: right - x, height: bottom - y };
}
