/** Step: removes one connected part from a matte, including its soft edge. */
import { type Box, findMatteBounds, type Matte, SUBJECT } from 'packshot-pixels';
import type { Point } from '../correction.ts';

/** Maximum distance between a click and the part that it refers to, as a fraction of the matte's longer side. */
const MISS_SHARE = 0.005;
const PART = 1;
const OTHER = 2;

/**
 * Clears the part of the matte at a point: its connected pixels with an alpha of at least one half, and the
 * adjoining softer pixels that are closer to this part than to any other. Returns the bounds of the changes,
 * or `null` if there is no part at the point.
 */
export function dropPart(matte: Matte, point: Point): Box | null {
  const { width, height, data } = matte;
  const first = findNearest(matte, point);
  if (first === null) return null;
  const owners = new Uint8Array(data.length);
  const queue = new Int32Array(data.length);
  let filled = 0;
  const take = (i: number, owner: number): void => {
    owners[i] = owner;
    queue[filled++] = i;
  };
  const spread = (least: number): void => {
    for (let next = 0; next < filled; next++) {
      const i = queue[next]!;
      const x = i % width;
      const top = i < width ? 0 : -width;
      const bottom = i + width < data.length ? width : 0;
      for (let row = top; row <= bottom; row += width) {
        for (let j = i + row - (x > 0 ? 1 : 0); j <= i + row + (x + 1 < width ? 1 : 0); j++)
          if (owners[j] === 0 && data[j]! >= least) take(j, owners[i]!);
      }
    }
  };
  take(first, PART);
  spread(SUBJECT);
  for (let i = 0; i < data.length; i++) if (data[i]! >= SUBJECT && owners[i] === 0) take(i, OTHER);
  spread(1);
  const part = owners.map((owner) => (owner === PART ? 1 : 0));
  for (let i = 0; i < data.length; i++) if (part[i] === 1) data[i] = 0;
  return findMatteBounds({ width, height, data: part }, 1);
}

/** The part's pixel nearest to the point, if it is close enough. */
function findNearest({ width, height, data }: Matte, [x, y]: Point): number | null {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const reach = Math.ceil(MISS_SHARE * Math.max(width, height));
  let nearest: number | null = null;
  let least = reach * reach + 1;
  for (let j = Math.max(0, row - reach); j <= Math.min(height - 1, row + reach); j++) {
    for (let i = Math.max(0, column - reach); i <= Math.min(width - 1, column + reach); i++) {
      const distance = (i - column) ** 2 + (j - row) ** 2;
      if (data[j * width + i]! < SUBJECT || distance >= least) continue;
      least = distance;
      nearest = j * width + i;
    }
  }
  return nearest;
}
