/** Computes which part of a photo a correction can change. */
import { type Box, roundOut, type Size } from 'packshot-pixels';
import type { Correction } from './correction.ts';

/** Margin around boxes and polygons if there are no strokes, as a fraction of the photo's longer side. */
const MARGIN_SHARE = 0.04;

/**
 * Returns the bounding box of the marks, enlarged on each side by the distance that the strokes' effect may reach:
 * `reachOf` gets the diagonal of the bounding box of all strokes. Without strokes, the box is enlarged by
 * `MARGIN_SHARE`. `null` if the marks lie outside the photo.
 */
export function findArea(
  { width, height }: Size,
  { strokes, boxes, polygons }: Pick<Correction, 'strokes' | 'boxes' | 'polygons'>,
  reachOf: (extent: number) => number = () => 0,
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
  if (strokes.length > 0) margin = reachOf(Math.hypot(right - left, bottom - top));
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
