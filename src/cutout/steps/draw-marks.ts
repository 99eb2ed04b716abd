/** Step: rasterizes strokes and shapes on a grid over a part of the photo. */
import type { Box } from '../../pixels.ts';
import { type Correction, ERASE, KEEP, type Mode, type Point } from '../correction.ts';

/** A grid of `width` by `height` pixels over the photo's `area`. */
export interface Grid {
  readonly area: Box;
  readonly width: number;
  readonly height: number;
}

/** Values are `KEEP`, `ERASE` or 0. */
export interface Marks {
  /** Pixels under strokes, from which marks spread to similar pixels. */
  readonly seeds: Uint8Array;
  /** Pixels inside boxes and polygons, from which marks do not spread. */
  readonly areas: Uint8Array;
}

export function drawMarks({ strokes, boxes, polygons }: Correction, grid: Grid): Marks {
  const seeds = new Uint8Array(grid.width * grid.height);
  const areas = new Uint8Array(grid.width * grid.height);
  for (const { mode, radius, points } of strokes) {
    const reach = radius * (grid.width / grid.area.width);
    points.forEach((point, n) => {
      drawSegment(seeds, grid, { from: points[Math.max(0, n - 1)]!, to: point, reach, mark: markOf(mode) });
    });
  }
  for (const { mode, x, y, width, height } of boxes) {
    const corners: Point[] = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
    fillPolygon(areas, grid, { points: corners, mark: markOf(mode) });
  }
  for (const { mode, points } of polygons) fillPolygon(areas, grid, { points, mark: markOf(mode) });
  return { seeds, areas };
}

const markOf = (mode: Mode): number => (mode === 'keep' ? KEEP : ERASE);

function toGrid({ area, width, height }: Grid, [x, y]: Point): Point {
  return [((x - area.x) * width) / area.width, ((y - area.y) * height) / area.height];
}

interface Segment {
  readonly from: Point;
  readonly to: Point;
  /** Radius of the stroke, in grid pixels. A radius that is too small to mark the pixel under the brush is enlarged. */
  readonly reach: number;
  readonly mark: number;
}

function drawSegment(pixels: Uint8Array, grid: Grid, segment: Segment): void {
  const [ax, ay] = toGrid(grid, segment.from);
  const [bx, by] = toGrid(grid, segment.to);
  const reach = Math.max(Math.SQRT1_2, segment.reach);
  const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
  const left = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
  const right = Math.min(grid.width - 1, Math.ceil(Math.max(ax, bx) + reach));
  const top = Math.max(0, Math.floor(Math.min(ay, by) - reach));
  const bottom = Math.min(grid.height - 1, Math.ceil(Math.max(ay, by) + reach));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5 - ax;
      const py = y + 0.5 - ay;
      const along = length2 === 0 ? 0 : (px * (bx - ax) + py * (by - ay)) / length2;
      const t = Math.min(1, Math.max(0, along));
      const dx = px - t * (bx - ax);
      const dy = py - t * (by - ay);
      if (dx * dx + dy * dy <= reach * reach) pixels[y * grid.width + x] = segment.mark;
    }
  }
}

/** Fills the pixels whose centers lie inside the polygon by the even-odd rule, row by row. */
function fillPolygon(
  pixels: Uint8Array,
  grid: Grid,
  { points, mark }: { readonly points: readonly Point[]; readonly mark: number },
): void {
  const corners = points.map((point) => toGrid(grid, point));
  for (let y = 0; y < grid.height; y++) {
    const middle = y + 0.5;
    const crossings: number[] = [];
    corners.forEach(([bx, by], n) => {
      const [ax, ay] = corners[(n + corners.length - 1) % corners.length]!;
      if (ay <= middle !== by <= middle) crossings.push(ax + ((middle - ay) * (bx - ax)) / (by - ay));
    });
    crossings.sort((a, b) => a - b);
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const from = Math.max(0, Math.ceil(crossings[n]! - 0.5));
      const to = Math.min(grid.width, Math.ceil(crossings[n + 1]! - 0.5));
      if (to > from) pixels.fill(mark, y * grid.width + from, y * grid.width + to);
    }
  }
}
