/** Estimates a product's thickness from its silhouette: each part is as thick as it is wide. */
import { findCheapest } from 'packshot-pixels';
import { isCovered, type Silhouette } from './ground/silhouette.ts';
import type { StandingLine } from './ground/standing-line.ts';

/**
 * Half thickness of each cell, in world units, from the largest inscribed balls (the local thickness of Hildebrand and
 * Rüegsegger 1997), since handles and straps are as thick as they are wide. Inflation by the distance to the outline
 * (Igarashi et al. 1999, Teddy) would turn them into plates as deep as the body, and the opening of a handle into a
 * tunnel. Except in a flat lay (`flat`), the lower end of a foot does not count as part of the outline: if it did, the
 * product would get thinner there and stand on an edge. `cell` is the size of a cell, and `maxDepth` the maximum half
 * thickness, both in world units.
 */
export function inflate(
  silhouette: Silhouette,
  line: StandingLine,
  flat: boolean,
  cell: number,
  maxDepth: number,
): Float32Array {
  const { columns, rows } = silhouette;
  const inside = (column: number, row: number): boolean => {
    if (column < 0 || column >= columns || row < 0) {
      return false;
    }
    if (row >= rows || !isCovered(silhouette, column, row)) {
      return !flat && line.touches[column] === 1 && row >= line.contour[column]! - 1;
    }
    return true;
  };
  const reach = Math.ceil(Math.max(columns, rows) / 2);
  // The grid has a margin: cells to its left and right and above it are outside.
  const width = columns + 2;
  const height = rows + 1 + reach;
  const costs = Float64Array.from({ length: width * height }, (_, at) =>
    inside((at % width) - 1, Math.floor(at / width) - 1) ? Number.POSITIVE_INFINITY : 0,
  );
  const nearest = findCheapest(width, height, costs);
  const distances = new Float32Array(columns * rows);
  let furthest = 0.5;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!inside(column, row)) {
        continue;
      }
      const other = nearest[(row + 1) * width + column + 1]!;
      const [x, y] = [(other % width) - 1, Math.floor(other / width) - 1];
      const squared = Math.min(reach * reach, (x - column) ** 2 + (y - row) ** 2);
      const distance = Math.sqrt(squared) - 0.5;
      distances[row * columns + column] = distance;
      furthest = Math.max(furthest, distance);
    }
  }
  const scale = Math.min(cell, maxDepth / furthest);
  return fillWithBalls(distances, columns, rows).map((half, i) =>
    distances[i]! <= 0 ? 0 : Math.max(0.25 * cell, scale * half),
  );
}

/** Half thickness at each cell, in cells, of the union of all inscribed balls. */
function fillWithBalls(distances: Float32Array, columns: number, rows: number): Float32Array {
  const costs = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const radius = distances[at]!;
      if (radius > 0 && !isInsideAnother(distances, columns, rows, column, row))
        costs[at] = -(radius * radius);
    }
  }
  const centers = findCheapest(columns, rows, costs);
  return Float32Array.from(centers, (center, at) => {
    if (center < 0) return 0;
    const dx = (at % columns) - (center % columns);
    const dy = Math.floor(at / columns) - Math.floor(center / columns);
    return Math.sqrt(Math.fround(Math.max(0, distances[center]! ** 2 - dy ** 2 - dx ** 2)));
  });
}

/** Whether a neighbor's ball contains the ball of this cell. Most balls are contained in another and can be skipped. */
function isInsideAnother(
  distances: Float32Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
): boolean {
  const own = distances[row * columns + column]!;
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      if (
        distances[y * columns + x]! >= own + 0.95 * Math.hypot(x - column, y - row) &&
        (x !== column || y !== row)
      ) {
        return true;
      }
    }
  }
  return false;
}

/**
 * Minimum length, as a fraction of the silhouette's width, of a run of covered cells that belongs to the body. Shorter
 * runs are legs, arms or frames.
 */
const BODY_RUN = 0.2;

/**
 * Returns 1 for each cell of the body of a piece of furniture, such as its seat or top, which extends from front to
 * rear.
 */
export function findBody(silhouette: Silhouette): Uint8Array {
  const { columns, rows } = silhouette;
  const body = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    let from = 0;
    for (let column = 0; column <= columns; column++) {
      if (column < columns && isCovered(silhouette, column, row)) continue;
      if (column - from >= BODY_RUN * columns) body.fill(1, row * columns + from, row * columns + column);
      from = column + 1;
    }
  }
  return body;
}

/** Minimum width of a body's underside above the ground, as a fraction of the silhouette's width. */
const MIN_UNDERSIDE = 0.3;

/**
 * The columns, in order, in which a body does not reach the ground, and the median height of the gap below it, in rows.
 */
export interface Clearance {
  readonly columns: readonly number[];
  readonly gap: number;
}

/** Undefined for a product without a body above the ground. */
export function findClearance(silhouette: Silhouette, line: StandingLine): Clearance | undefined {
  const { contour, gap, touches } = line;
  const body = findBody(silhouette);
  const isBody = (column: number): boolean => {
    const row = Math.min(silhouette.rows - 1, Math.max(0, Math.ceil(contour[column]!) - 1));
    const lowest = isCovered(silhouette, column, row) ? row : Math.max(0, row - 1);
    return contour[column]! >= 0 && touches[column] === 0 && body[lowest * silhouette.columns + column] === 1;
  };
  const columns = [...contour.keys()].filter(isBody);
  if (columns.length < MIN_UNDERSIDE * silhouette.columns) return undefined;
  const gaps = columns.map((column) => gap[column]!).toSorted((a, b) => a - b);
  return { columns, gap: gaps[columns.length >> 1]! };
}

/** Returns 1 for each column in which a leg rather than the body touches the ground. */
export function findLegs({ columns, rows }: Silhouette, line: StandingLine, body: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: columns }, (_, column) => {
    const lowest = Math.min(rows - 1, Math.max(0, Math.ceil(line.contour[column]!) - 1));
    return line.touches[column] === 1 && body[lowest * columns + column] === 0 ? 1 : 0;
  });
}

/** Thickness at a corner of the grid: the mean over the adjacent covered cells. */
export function cornerThickness(
  thickness: Float32Array,
  columns: number,
  rows: number,
  x: number,
  y: number,
): number {
  let sum = 0;
  let count = 0;
  for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x); column++) {
      const t = thickness[row * columns + column]!;
      sum += t;
      count += t > 0 ? 1 : 0;
    }
  }
  return count === 0 ? 0 : sum / count;
}
