/** Step: rasterizes strokes and shapes on a grid over a part of the photo. */
import type { Box } from 'packshot-pixels';
import { type Correction, ERASE, KEEP, type Mode, type Point } from '../correction.ts';
import { paintShapes, type Shape } from './paint-shapes.ts';

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

type Shapes = Pick<Correction, 'strokes' | 'boxes' | 'polygons'>;

export const drawMarks = (correction: Shapes, grid: Grid): Marks => ({
  seeds: drawSeeds(correction, grid),
  areas: drawAreas(correction, grid),
});

function drawSeeds({ strokes }: Shapes, grid: Grid): Uint8Array {
  const shapes = strokes.map(({ mode, radius, points }) => {
    // A radius that is too small to mark the pixel under the brush is enlarged.
    const reach = Math.max(Math.SQRT1_2, radius * (grid.width / grid.area.width));
    const onGrid = points.map((point) => toGrid(grid, point));
    const segments = onGrid.map((to, n) => new Segment(onGrid[Math.max(0, n - 1)]!, to, reach));
    return toShape(segments, grid.width, markOf(mode), (depth) => depth > 0);
  });
  return paintShapes(shapes, grid);
}

export function drawAreas(
  { boxes, polygons }: Pick<Correction, 'boxes' | 'polygons'>,
  grid: Grid,
): Uint8Array {
  const outlines = [
    ...boxes.map(({ mode, x, y, width, height }) => ({
      mode,
      points: [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ] as const,
    })),
    ...polygons,
  ];
  const shapes = outlines.map(({ mode, points }) => {
    const corners = points.map((point) => toGrid(grid, point));
    const edges = corners.map((corner, n) => new Edge(corners.at(n - 1)!, corner));
    // The even-odd rule.
    return toShape(edges, grid.width, markOf(mode), (depth) => depth % 2 !== 0);
  });
  return paintShapes(shapes, grid);
}

const markOf = (mode: Mode): number => (mode === 'keep' ? KEEP : ERASE);

function toGrid({ area, width, height }: Grid, [x, y]: Point): Point {
  return [((x - area.x) * width) / area.width, ((y - area.y) * height) / area.height];
}

/** A part of a shape's outline, in the rows from `first` to `last`, both inclusive. */
interface OutlinePart {
  readonly first: number;
  readonly last: number;
  /**
   * Adds to `steps` by how much the depth of the shape changes at each pixel of a row. Returns true if the part fills
   * the row, whatever the others do.
   */
  addTo(steps: Int32Array, y: number): boolean;
}

/** A shape that consists of the pixels at whose depth `isInside`. */
function toShape(
  parts: readonly OutlinePart[],
  width: number,
  mark: number,
  isInside: (depth: number) => boolean,
): Shape {
  const coming = parts.filter(({ first, last }) => first <= last).sort((a, b) => b.first - a.first);
  const steps = new Int32Array(width + 1);
  let active: OutlinePart[] = [];
  return {
    top: coming.at(-1)?.first ?? 0,
    bottom: coming.reduce((most, { last }) => Math.max(most, last), -1),
    mark,
    visit(y, paint) {
      while (coming.length > 0 && coming.at(-1)!.first <= y) active.push(coming.pop()!);
      active = active.filter(({ last }) => last >= y);
      const filling = active.findIndex((part) => part.addTo(steps, y));
      if (filling > 0) active.unshift(...active.splice(filling, 1));
      let depth = 0;
      let from = -1;
      for (let x = 0; x <= width; x++) {
        if (steps[x] === 0) continue;
        depth += steps[x]!;
        steps[x] = 0;
        if (isInside(depth)) from = from === -1 ? x : from;
        else if (from !== -1) {
          paint(from, x);
          from = -1;
        }
      }
      if (from !== -1) paint(from, width);
    },
  };
}

const toPixel = (x: number, width: number): number => Math.min(width, Math.max(0, Math.ceil(x - 0.5)));

/** The pixels whose centers are at most `reach` from the line between two points. In each row, they are one span. */
class Segment implements OutlinePart {
  readonly first: number;
  readonly last: number;
  readonly #ends: readonly [number, number, number, number];
  readonly #reach: number;

  constructor([ax, ay]: Point, [bx, by]: Point, reach: number) {
    this.first = Math.floor(Math.min(ay, by) - reach);
    this.last = Math.ceil(Math.max(ay, by) + reach);
    this.#ends = [ax, ay, bx, by];
    this.#reach = reach;
  }

  addTo(steps: Int32Array, y: number): boolean {
    const [ax, ay, bx, by] = this.#ends;
    const reach = this.#reach;
    const [dx, dy, off, offB] = [bx - ax, by - ay, y + 0.5 - ay, y + 0.5 - by];
    // The ends are discs.
    const halfA = reach * reach - off * off;
    const halfB = reach * reach - offB * offB;
    let left = Infinity;
    let right = -Infinity;
    if (halfA >= 0) {
      left = ax - Math.sqrt(halfA);
      right = ax + Math.sqrt(halfA);
    }
    if (halfB >= 0) {
      left = Math.min(left, bx - Math.sqrt(halfB));
      right = Math.max(right, bx + Math.sqrt(halfB));
    }
    const length2 = dx * dx + dy * dy;
    if (length2 > 0) {
      // Between the ends, x - ax lies between two lines across the segment and between two lines along it.
      const across = reach * Math.sqrt(length2);
      const start =
        dx === 0 ? (off * dy >= 0 && off * dy <= length2 ? -Infinity : Infinity) : (-off * dy) / dx;
      const end = dx === 0 ? -start : (length2 - off * dy) / dx;
      const near =
        dy === 0 ? (Math.abs(off * dx) <= across ? -Infinity : Infinity) : (off * dx - across) / dy;
      const far = dy === 0 ? -near : (off * dx + across) / dy;
      const from = Math.max(Math.min(start, end), Math.min(near, far));
      const to = Math.min(Math.max(start, end), Math.max(near, far));
      if (from <= to) {
        left = Math.min(left, ax + from);
        right = Math.max(right, ax + to);
      }
    }
    if (left > right) return false;
    const width = steps.length - 1;
    const [from, to] = [toPixel(left, width), Math.min(width, Math.max(0, Math.floor(right - 0.5) + 1))];
    steps[from]! += 1;
    steps[to]! -= 1;
    return from === 0 && to === width;
  }
}

/** An edge of a polygon, in the rows whose middle it crosses. Each edge that a pixel's center has to its left counts. */
class Edge implements OutlinePart {
  readonly first: number;
  readonly last: number;
  readonly #base: number;
  readonly #slope: number;

  constructor([ax, ay]: Point, [bx, by]: Point) {
    this.first = Math.ceil(Math.min(ay, by) - 0.5);
    this.last = Math.ceil(Math.max(ay, by) - 0.5) - 1;
    this.#slope = (bx - ax) / (by - ay);
    this.#base = ax - ay * this.#slope;
  }

  addTo(steps: Int32Array, y: number): boolean {
    steps[toPixel(this.#base + (y + 0.5) * this.#slope, steps.length - 1)]! += 1;
    return false;
  }
}
