/** Measures what reveals whether a subject can stand: edges of the photo that crop it, and separate parts. */
import type { Edge } from '../../designs/subject.ts';
import type { Mask, MaskBox } from './mask.ts';

/** Depth of the strip along an edge in which the subject is measured, as a fraction of the box. */
const edgeStrip = 0.02;

/**
 * For each of the photo's edges that crop the subject, the fraction of the box's side at this edge that the subject
 * covers.
 */
export function measureCropped(
  { width, bits }: Mask,
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

/** Thin arms, such as those of a lamp, break up in the small mask. So parts this many pixels apart are connected. */
const bridged = 2;
/** Parts smaller than this fraction of the subject are crumbs. */
const smallestPart = 0.02;

/**
 * Largest vertical distance between the lowest points of two separate parts, as a fraction of the subject's height; 0
 * for a subject in one piece.
 */
export function measureScatter({ width, height, bits }: Mask, box: MaskBox): number {
  const left = Uint8Array.from(bits);
  const feet: number[] = [];
  for (let start = left.indexOf(1); start >= 0; start = left.indexOf(1, start)) {
    const stack = [start];
    left[start] = 0;
    let area = 0;
    let lowest = 0;
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      const x = index % width;
      const y = (index - x) / width;
      area++;
      lowest = Math.max(lowest, y);
      for (let nextY = Math.max(0, y - bridged); nextY <= Math.min(height - 1, y + bridged); nextY++) {
        for (let nextX = Math.max(0, x - bridged); nextX <= Math.min(width - 1, x + bridged); nextX++) {
          const other = nextY * width + nextX;
          if (left[other] !== 1) continue;
          left[other] = 0;
          stack.push(other);
        }
      }
    }
    if (area >= smallestPart * box.area) feet.push(lowest);
  }
  return feet.length === 0 ? 0 : (Math.max(...feet) - Math.min(...feet)) / box.height;
}
