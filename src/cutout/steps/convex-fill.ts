/** Fills the convex hull of a set of pixels (Andrew 1979, monotone chain). */

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the indices of the hull's pixels in a picture of this width; `pixels` are indices in row order. */
export function fillConvex(pixels: Int32Array, width: number): number[] {
  const spans = new Map<number, { left: number; right: number }>();
  for (const i of pixels) {
    const x = i % width;
    const y = (i - x) / width;
    const span = spans.get(y);
    if (span === undefined) spans.set(y, { left: x, right: x });
    else {
      span.left = Math.min(span.left, x);
      span.right = Math.max(span.right, x);
    }
  }
  const rows = [...spans].sort(([a], [b]) => a - b);
  const left = bendOutward(rows.map(([y, span]) => ({ x: -span.left, y })));
  const right = bendOutward(rows.map(([y, span]) => ({ x: span.right, y })));
  const filled: number[] = [];
  const [first] = rows[0] ?? [0];
  const [last] = rows.at(-1) ?? [-1];
  for (let y = first; y <= last; y++) {
    const to = Math.floor(readAt(right, y));
    for (let x = Math.ceil(-readAt(left, y)); x <= to; x++) filled.push(y * width + x);
  }
  return filled;
}

/**
 * Returns the right half of the hull of these points, which are sorted by y: drops each point on, or to the left of, a
 * line between two others. For the left half, the caller negates x.
 */
function bendOutward(points: readonly Point[]): Point[] {
  const chain: Point[] = [];
  for (const point of points) {
    while (chain.length >= 2) {
      const [a, b] = [chain.at(-2)!, chain.at(-1)!];
      const isInner = (b.x - a.x) * (point.y - a.y) <= (point.x - a.x) * (b.y - a.y);
      if (!isInner) break;
      chain.pop();
    }
    chain.push(point);
  }
  return chain;
}

function readAt(chain: readonly Point[], y: number): number {
  const next = chain.findIndex((point) => point.y >= y);
  const b = chain[next]!;
  const a = chain[Math.max(0, next - 1)]!;
  return a.y === b.y ? b.x : a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y);
}
