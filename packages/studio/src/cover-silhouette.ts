/** Turns a silhouette's cells into a closed mesh. */
import { isCovered, type Silhouette } from './ground/silhouette.ts';
import type { StandingLine } from './ground/standing-line.ts';
import { type Mesh, smoothMesh } from './meshes/mesh.ts';

/**
 * Returns the world position of a grid corner, with its front and back depth; (`x`, `y`) are its cell coordinates,
 * (`sx`, `sy`) the same after smoothing the outline.
 */
export type Corner = (
  x: number,
  y: number,
  sx: number,
  sy: number,
) => { readonly x: number; readonly y: number; readonly frontZ: number; readonly backZ: number };

export type Filled = (column: number, row: number) => boolean;

/** Returns which cells to fill: the covered cells, and at feet also the cells down to the ground. */
export function fillFeet(silhouette: Silhouette, line: StandingLine): Filled {
  const { columns, rows } = silhouette;
  return (column, row) => {
    if (column < 0 || column >= columns || row < 0 || row >= rows) {
      return false;
    }
    return (
      isCovered(silhouette, column, row) ||
      (line.touches[column] === 1 &&
        row >= line.contour[column]! - 1 &&
        row < Math.ceil(line.ground[column]!))
    );
  };
}

/** Builds a mesh of the filled cells: front, back and sides. */
export function cover(
  { columns, rows }: Pick<Silhouette, 'columns' | 'rows'>,
  filled: Filled,
  cornerAt: Corner,
): Mesh {
  const stride = columns + 1;
  const cornerCount = stride * (rows + 1);
  const positions = new Float32Array(cornerCount * 6);
  const smooth = smoothOutline(columns, rows, filled);
  for (let y = 0; y <= rows; y++) {
    for (let x = 0; x <= columns; x++) {
      const at = y * stride + x;
      const corner = cornerAt(x, y, smooth[at * 2]!, smooth[at * 2 + 1]!);
      positions.set([corner.x, corner.y, corner.frontZ], at * 3);
      positions.set([corner.x, corner.y, corner.backZ], (cornerCount + at) * 3);
    }
  }
  const indices: number[] = [];
  const quad = (a: number, b: number, c: number, d: number): void => {
    indices.push(a, b, c, a, c, d);
  };
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (!filled(x, y)) {
        continue;
      }
      const a = y * stride + x;
      const [b, c, d] = [a + 1, a + stride + 1, a + stride];
      quad(d, c, b, a);
      quad(cornerCount + a, cornerCount + b, cornerCount + c, cornerCount + d);
      if (!filled(x - 1, y)) quad(a, cornerCount + a, cornerCount + d, d);
      if (!filled(x + 1, y)) quad(c, cornerCount + c, cornerCount + b, b);
      if (!filled(x, y - 1)) quad(b, cornerCount + b, cornerCount + a, a);
      if (!filled(x, y + 1)) quad(d, cornerCount + d, cornerCount + c, c);
    }
  }
  return smoothMesh(positions, Uint32Array.from(indices));
}

/** Positions of the grid's corners with a smoothed outline, two numbers per corner, in cells. */
function smoothOutline(columns: number, rows: number, filled: Filled): Float32Array {
  const stride = columns + 1;
  let places = new Float32Array(stride * (rows + 1) * 2);
  const neighbors: number[][] = [];
  for (let y = 0; y <= rows; y++) {
    for (let x = 0; x <= columns; x++) {
      const at = y * stride + x;
      places[at * 2] = x;
      places[at * 2 + 1] = y;
      // The outline follows a cell's edge if only one of the adjacent cells is filled.
      const along: number[] = [];
      if (filled(x - 1, y - 1) !== filled(x - 1, y)) along.push(at - 1);
      if (filled(x, y - 1) !== filled(x, y)) along.push(at + 1);
      if (filled(x - 1, y - 1) !== filled(x, y - 1)) along.push(at - stride);
      if (filled(x - 1, y) !== filled(x, y)) along.push(at + stride);
      neighbors.push(along);
    }
  }
  for (let pass = 0; pass < 3; pass++) {
    const next = places.slice();
    for (const [at, along] of neighbors.entries()) {
      for (let axis = 0; axis < 2 && along.length > 0; axis++) {
        const mean = along.reduce((sum, other) => sum + places[other * 2 + axis]!, 0) / along.length;
        next[at * 2 + axis] = (places[at * 2 + axis]! + mean) / 2;
      }
    }
    places = next;
  }
  return places;
}
