/** The outline of a subject, column by column, for the shade where it touches the ground. */
import type { RgbaImage } from 'packshot-pixels';
import type { StandingLine } from './standing-line.ts';

/**
 * Returns the first row at or above `from` that is inside the subject (if `solid`) or outside it; -1 if there is none.
 */
export function findEdge({ data, width }: RgbaImage, x: number, from: number, solid: boolean): number {
  for (let row = from; row >= 0; row--) {
    if (data[(row * width + x) * 4 + 3]! >= 128 === solid) return row;
  }
  return -1;
}

/**
 * Gap at a fractional column, interpolated between column centers. Where a column is empty, the nearest column that has
 * a part of the subject is used.
 */
export function gapAt({ gap, contour }: StandingLine, column: number): number {
  const last = gap.length - 1;
  const left = Math.min(last, Math.max(0, Math.floor(column)));
  const right = Math.min(last, left + 1);
  if (contour[left]! < 0 || contour[right]! < 0) return contour[left]! < 0 ? gap[right]! : gap[left]!;
  return gap[left]! + (gap[right]! - gap[left]!) * Math.min(1, Math.max(0, column - left));
}
