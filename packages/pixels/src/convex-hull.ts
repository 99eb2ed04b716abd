/** The convex hull of points (Andrew 1979, monotone chain). */

export type Point = readonly [x: number, y: number];

/** The hull's corners, in order around it. */
export function findHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  return [...findHalf(sorted), ...findHalf(sorted.toReversed())];
}

/** Half of the hull of sorted points, without its last point. */
function findHalf(points: readonly Point[]): Point[] {
  const half: Point[] = [];
  for (const [x, y] of points) {
    while (half.length >= 2) {
      const [[ax, ay], [bx, by]] = [half.at(-2)!, half.at(-1)!];
      if ((bx - ax) * (y - ay) > (by - ay) * (x - ax)) break;
      half.pop();
    }
    half.push([x, y]);
  }
  return half.slice(0, -1);
}

/** Area of a hull, by the shoelace formula. */
export function measureHull(hull: readonly Point[]): number {
  const twice = hull.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = hull[(i + 1) % hull.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
