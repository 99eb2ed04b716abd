/** Measures what reveals whether a subject can stand: edges of the photo that crop it, and separate parts. */

import { type Edge, findParts } from 'packshot-pixels';
import type { Mask, MaskBox } from './mask.ts';

/** Depth of the strip along an edge in which the subject is measured, as a fraction of the box. */
const edgeStrip = 0.02;

/**
 * For each of the photo's edges that crop the subject, the fraction of the box's side at this edge that the subject
 * covers.
 */
export function measureCropped(
  { width, data: bits }: Mask,
  box: MaskBox,
  touchesEdges: readonly Edge[],
): Partial<Record<Edge, number>> {
  const shareOf = (edge: Edge): number => {
    const isRow = edge === 'top' || edge === 'bottom';
    const [along, across] = isRow ? [box.width, box.height] : [box.height, box.width];
    const isFar = edge === 'bottom' || edge === 'right';
    const covered = (depth: number): number => {
      const line = isFar ? across - 1 - depth : depth;
      let count = 0;
      for (let i = 0; i < along; i++) {
        const [x, y] = isRow ? [i, line] : [line, i];
        count += bits[(box.y + y) * width + box.x + x]!;
      }
      return count / along;
    };
    const depths = Math.max(1, Math.round(edgeStrip * across));
    return Math.max(...Array.from({ length: depths }, (_, depth) => covered(depth)));
  };
  return Object.fromEntries(touchesEdges.map((edge) => [edge, shareOf(edge)]));
}

/** Parts smaller than this fraction of the subject are crumbs. */
const smallestPart = 0.02;

/**
 * Largest vertical distance between the lowest points of two separate parts, as a fraction of the subject's height; 0
 * for a subject in one piece.
 */
export function measureScatter(mask: Mask, box: MaskBox): number {
  const { width } = mask;
  const { parts, order } = findParts(bridgeGaps(mask), { min: 1, max: 1, neighbours: 8 });
  const feet = parts.flatMap(({ start, end }) => {
    const own = order.subarray(start, end).filter((at) => mask.data[at] === 1);
    return own.length >= smallestPart * box.area ? [Math.floor(own.at(-1)! / width)] : [];
  });
  return feet.length === 0 ? 0 : (Math.max(...feet) - Math.min(...feet)) / box.height;
}

/**
 * Thin arms, such as those of a lamp, break up in the small mask. So each pixel spreads to the next column and row, which
 * connects parts that are two pixels apart.
 */
function bridgeGaps({ width, height, data }: Mask): Mask {
  const reaches = (at: number, x: number): boolean => data[at] === 1 || (x > 0 && data[at - 1] === 1);
  return {
    width,
    height,
    data: data.map((_, at) =>
      reaches(at, at % width) || (at >= width && reaches(at - width, at % width)) ? 1 : 0,
    ),
  };
}
