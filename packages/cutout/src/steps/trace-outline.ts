/** Traces the outline of a region as a polygon. */
import type { Matte } from 'packshot-pixels';
import type { Point } from '../correction.ts';

/**
 * Returns the outer outline of the 8-connected part that contains the region's first pixel. It runs clockwise
 * along pixel edges, and has at most `most` corners. The region's pixels are those that are not 0; there is at least one.
 */
export function traceOutline(region: Matte, most: number): Point[] {
  const corners = followEdges(region);
  const { width, height } = region;
  for (let tolerance = 1; ; tolerance *= 1.5) {
    const simple = simplify(corners, tolerance);
    if (simple.length < 3) return thinRegion(width, height);
    if (simple.length <= most) return simple;
  }
}

/** Returns the corners of the whole grid, for a region that is too thin to enclose an area. */
const thinRegion = (width: number, height: number): Point[] => [
  [0, 0],
  [width, 0],
  [width, height],
  [0, height],
];

/** Walks along the pixel edges with the region on the right. */
function followEdges({ width, height, data }: Matte): Point[] {
  const isInside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] !== 0;
  const first = data.findIndex((value) => value !== 0);
  const start = [first % width, Math.floor(first / width)] as const;
  const corners: Point[] = [];
  let [x, y]: Point = start;
  let [dx, dy] = [1, 0];
  do {
    x += dx;
    y += dy;
    const right = [x + (dx - dy - 1) / 2, y + (dx + dy - 1) / 2] as const;
    const turnsLeft = isInside(right[0] + dy, right[1] - dx);
    if (!turnsLeft && isInside(...right)) continue;
    corners.push([x, y]);
    [dx, dy] = turnsLeft ? [dy, -dx] : [-dy, dx];
  } while (x !== start[0] || y !== start[1] || dx !== 1);
  return corners;
}

/**
 * Simplifies the outline (Douglas, Peucker, "Algorithms for the Reduction of the Number of Points", 1973),
 * starting from the first corner and the corner farthest from it.
 */
function simplify(corners: readonly Point[], tolerance: number): Point[] {
  const far = corners.reduce(
    (best, corner, i) => (gap(corner, corners[0]!) > gap(corners[best]!, corners[0]!) ? i : best),
    0,
  );
  const halves = [corners.slice(0, far + 1), [...corners.slice(far), corners[0]!]];
  return halves.flatMap((line) => keepBends(line, tolerance).slice(0, -1));
}

function keepBends(line: readonly Point[], tolerance: number): Point[] {
  const [from, to] = [line[0]!, line.at(-1)!];
  let bend = 0;
  let most = tolerance;
  for (let i = 1; i < line.length - 1; i++) {
    const distance = offset(line[i]!, from, to);
    if (distance <= most) continue;
    most = distance;
    bend = i;
  }
  if (bend === 0) return [from, to];
  return [
    ...keepBends(line.slice(0, bend + 1), tolerance).slice(0, -1),
    ...keepBends(line.slice(bend), tolerance),
  ];
}

const gap = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by);

/** Distance from the line through two points, or from the point if both are equal. */
function offset([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return Math.hypot(x - ax, y - ay);
  return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
}
