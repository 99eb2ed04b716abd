/** Where the subject stands: for each column, the height on the picture at which the ground lies below it. */
import type { Silhouette } from './silhouette.ts';

/** In grid cells, downwards; `firstColumn` to `lastColumn` are the columns with any subject. */
export interface SupportLine {
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Lower outline of the subject, per column of the grid; NaN where there is none. */
  readonly outline: Float32Array;
  /** Height of the unbroken stretch of subject above the outline, per column. */
  readonly rise: Float32Array;
  /** The ground below each column; never above the outline. Constant beyond the subject. */
  readonly ground: Float32Array;
  /** 0 to 1: how flat the subject's outline is here; a steep rise is a rounded side, not a foot. */
  readonly firmness: Float32Array;
}

/** Deepest rise of the ground towards the back, as shares of the subject's height and width: camera 5 to 25 degrees up. */
const MAX_RISE_OF_HEIGHT = 0.3;
const MAX_RISE_OF_WIDTH = 0.3;

/** `undefined` when no cell is at least half covered. */
export function findSupportLine({ grid, coverage }: Silhouette): SupportLine | undefined {
  const outline = new Float32Array(grid.width).fill(Number.NaN);
  const rise = new Float32Array(grid.width);
  let top = grid.height;
  let lowest = 0;
  let firstColumn = grid.width;
  let lastColumn = -1;
  for (let x = 0; x < grid.width; x++) {
    for (let y = grid.height - 1; y >= 0; y--) {
      if (coverage[y * grid.width + x]! >= 0.5) {
        // The cell below is part covered: that share is where the outline lies inside it.
        const below = y + 1 < grid.height ? coverage[(y + 1) * grid.width + x]! : 0;
        outline[x] = y + 1 + below;
        lowest = Math.max(lowest, outline[x]!);
        firstColumn = Math.min(firstColumn, x);
        lastColumn = x;
        rise[x] = measureRise(coverage, grid.width, x, y);
        break;
      }
    }
    for (let y = 0; y < top; y++) {
      if (coverage[y * grid.width + x]! >= 0.5) {
        top = y;
      }
    }
  }
  if (lastColumn < 0) {
    return undefined;
  }
  const deepest = Math.min(
    MAX_RISE_OF_HEIGHT * (lowest - top),
    MAX_RISE_OF_WIDTH * (lastColumn - firstColumn + 1),
  );
  const ground = lowerHull(outline, lowest - Math.max(deepest, 1));
  return { firstColumn, lastColumn, outline, rise, ground, firmness: measureFirmness(outline) };
}

function measureRise(coverage: Float32Array, width: number, x: number, lowestY: number): number {
  let y = lowestY;
  while (y >= 0 && coverage[y * width + x]! >= 0.5) {
    y--;
  }
  return lowestY - y;
}

/** The convex hull's lower side (Andrew 1979, monotone chain) of all outline points below `limitY`, level beyond. */
function lowerHull(outline: Float32Array, limitY: number): Float32Array {
  const hull: [x: number, y: number][] = [];
  for (let x = 0; x < outline.length; x++) {
    const y = outline[x]!;
    if (!(y >= limitY)) {
      continue;
    }
    while (hull.length >= 2) {
      const [ax, ay] = hull[hull.length - 2]!;
      const [bx, by] = hull[hull.length - 1]!;
      if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0) {
        break;
      }
      hull.pop();
    }
    hull.push([x, y]);
  }
  const ground = new Float32Array(outline.length);
  let next = 0;
  for (let x = 0; x < ground.length; x++) {
    while (next < hull.length - 1 && hull[next]![0] < x) {
      next++;
    }
    const [bx, by] = hull[next]!;
    const [ax, ay] = hull[Math.max(0, next - 1)]!;
    ground[x] =
      x >= bx || ax >= bx || x <= ax ? (x <= ax ? ay : by) : ay + ((by - ay) * (x - ax)) / (bx - ax);
  }
  return ground;
}

function measureFirmness(outline: Float32Array): Float32Array {
  return outline.map((y, x) => {
    const before = Math.abs(y - (outline[x - 1] ?? Number.NaN));
    const after = Math.abs(y - (outline[x + 1] ?? Number.NaN));
    // At the end of a leg one neighbour is far away: the flatter side counts.
    const slope = Math.min(Number.isNaN(before) ? 9 : before, Number.isNaN(after) ? 9 : after);
    // Full up to 0.45 (a box seen at 25 degrees), a third from 1.4 (the turn of a ball) on.
    return 1 - 0.67 * Math.min(1, Math.max(0, (slope - 0.45) / 0.95));
  });
}
