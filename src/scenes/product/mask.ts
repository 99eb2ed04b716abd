/** Measurements of a binary mask: bounding box, convex hull, holes, thin parts. */

/** Row-major, 1 where the subject is. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** In pixels; `area` counts the subject's pixels. */
export interface MaskBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly area: number;
}

export function measureBox({ width, height, bits }: Mask): MaskBox | undefined {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  let area = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!bits[y * width + x]) continue;
      area++;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (area === 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1, area };
}

type Point = readonly [x: number, y: number];

/** Subject's area divided by that of its convex hull. */
export function measureSolidity(mask: Mask, box: MaskBox): number {
  const hull = findHull(mask, box);
  let doubled = 0;
  hull.forEach(([x, y], index) => {
    const [nextX, nextY] = hull[(index + 1) % hull.length]!;
    doubled += x * nextY - nextX * y;
  });
  return Math.min(1, box.area / (Math.abs(doubled) / 2));
}

/**
 * Area of the smallest rectangle around the subject, turned by any whole number of degrees, divided by the area of its
 * upright box; at most 1.
 */
export function measureUprightness(mask: Mask, box: MaskBox): number {
  const hull = findHull(mask, box);
  let least = box.width * box.height;
  for (let degrees = 1; degrees < 90; degrees++) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const spread = (along: (point: Point) => number): number => {
      const values = hull.map(along);
      return Math.max(...values) - Math.min(...values);
    };
    least = Math.min(least, spread(([x, y]) => x * cos + y * sin) * spread(([x, y]) => y * cos - x * sin));
  }
  return least / (box.width * box.height);
}

/** Convex hull of the outer corners of each row's pixels (Andrew 1979, monotone chain). */
function findHull({ width, bits }: Mask, box: MaskBox): Point[] {
  const points: Point[] = [];
  for (let y = box.y; y < box.y + box.height; y++) {
    const row = bits.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    const end = row.lastIndexOf(1) + 1;
    points.push([first, y], [first, y + 1], [end, y], [end, y + 1]);
  }
  points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  return [...halfHull(points), ...halfHull(points.reverse())];
}

function halfHull(points: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const [x, y] of points) {
    while (hull.length >= 2) {
      const [ax, ay] = hull[hull.length - 2]!;
      const [bx, by] = hull[hull.length - 1]!;
      if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0) break;
      hull.pop();
    }
    hull.push([x, y]);
  }
  hull.pop();
  return hull;
}

interface Inside {
  /** Enclosed background pixels; less than 0.02 % of the box counts as 0. */
  readonly holeArea: number;
  /** 1 for pixels well inside the filled outline, 0 for all others. */
  readonly deep: Uint8Array;
}

export function findInside(mask: Mask, box: MaskBox): Inside {
  const { width, height, bits } = mask;
  const outside = floodFromBorder(mask);
  const filled = bits.map((bit, index) => (bit || !outside[index] ? 1 : 0));
  let holeArea = 0;
  for (let index = 0; index < bits.length; index++) holeArea += filled[index]! - bits[index]!;
  const speck = 0.0002 * box.width * box.height;
  const depth = distanceToZero({ width, height, bits: filled });
  const margin = Math.max(3, 0.03 * Math.max(box.width, box.height));
  return {
    holeArea: holeArea > speck ? holeArea : 0,
    deep: Uint8Array.from(depth, (d) => (d > margin ? 1 : 0)),
  };
}

function floodFromBorder({ width, height, bits }: Mask): Uint8Array {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const visit = (x: number, y: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const index = y * width + x;
    if (seen[index] || bits[index]) return;
    seen[index] = 1;
    stack.push(index);
  };
  for (let x = 0; x < width; x++) {
    visit(x, 0);
    visit(x, height - 1);
  }
  for (let y = 0; y < height; y++) {
    visit(0, y);
    visit(width - 1, y);
  }
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    const x = index % width;
    const y = (index - x) / width;
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y - 1);
    visit(x, y + 1);
  }
  return seen;
}

/**
 * Chessboard distance to the nearest 0, in two passes (Rosenfeld and Pfaltz 1966); pixels beyond the picture's edge
 * count as 0.
 */
function distanceToZero({ width, height, bits }: Mask): Uint16Array {
  const distance = new Uint16Array(width * height);
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : distance[y * width + x]!;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!bits[y * width + x]) continue;
      distance[y * width + x] = 1 + Math.min(at(x - 1, y), at(x - 1, y - 1), at(x, y - 1), at(x + 1, y - 1));
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const index = y * width + x;
      const around = 1 + Math.min(at(x + 1, y), at(x + 1, y + 1), at(x, y + 1), at(x - 1, y + 1));
      distance[index] = Math.min(distance[index]!, around);
    }
  }
  return distance;
}

/** Fraction of the subject removed by an opening with a square of 6 % of the box's longer side (Serra 1982). */
export function measureThinness(mask: Mask, box: MaskBox): number {
  const radius = Math.max(1, Math.round(0.03 * Math.max(box.width, box.height)));
  const core = distanceToZero(mask).map((distance) => (distance > radius ? 0 : 1));
  const { width, height, bits } = mask;
  const fromCore = distanceToZero({ width, height, bits: Uint8Array.from(core) });
  let thin = 0;
  for (let index = 0; index < bits.length; index++) {
    // Pixels beyond the picture's edge count as core, so a subject cropped there is not thin.
    if (bits[index] && fromCore[index]! > radius) thin++;
  }
  return thin / box.area;
}
