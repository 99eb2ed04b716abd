/** Measurements of a binary mask: bounding box, convex hull, holes, thin parts. */
import {
  type Box,
  findHull,
  findMatteBounds,
  findParts,
  type Matte,
  measureHull,
  type Point,
  sumWindows,
} from 'packshot-pixels';

/** Row-major, 1 where the subject is. */
export type Mask = Matte;

/** In pixels; `area` counts the subject's pixels. */
export interface MaskBox extends Box {
  readonly area: number;
}

export function measureBox(mask: Mask): MaskBox | undefined {
  const box = findMatteBounds(mask, 1);
  return box ? { ...box, area: mask.data.reduce((sum, bit) => sum + bit, 0) } : undefined;
}

/** Calls `visit` for each pixel of the subject, with its position in the box. */
export function eachPixel({ width, data }: Mask, box: MaskBox, visit: (x: number, y: number) => void): void {
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) if (data[(box.y + y) * width + box.x + x] === 1) visit(x, y);
  }
}

/** Subject's area divided by that of its convex hull. */
export function measureSolidity(mask: Mask, box: MaskBox): number {
  return Math.min(1, box.area / measureHull(hullOf(mask, box)));
}

/**
 * Angle in degrees, 0 to 45, by which the outline is a turned rectangle; 0 if it is no rectangle. A box that stands shows
 * six sides, so a turned rectangle was photographed from straight above.
 */
export function measureTurn(mask: Mask, box: MaskBox): number {
  const hull = hullOf(mask, box);
  let [least, turn] = [box.width * box.height, 0];
  for (let degrees = 1; degrees < 90; degrees++) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const spread = (along: (point: Point) => number): number => {
      const values = hull.map(along);
      return Math.max(...values) - Math.min(...values);
    };
    const area = spread(([x, y]) => x * cos + y * sin) * spread(([x, y]) => y * cos - x * sin);
    if (area < least) [least, turn] = [area, degrees];
  }
  return box.area >= rectangular * least ? Math.min(turn, 90 - turn) : 0;
}

/** Minimum fraction of its smallest enclosing rectangle that a rectangle covers; a camera with round corners covers 0.9. */
const rectangular = 0.88;

/** Convex hull of the outer corners of each row's pixels. */
function hullOf({ width, data }: Mask, box: MaskBox): Point[] {
  const points: Point[] = [];
  for (let y = box.y; y < box.y + box.height; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    const end = row.lastIndexOf(1) + 1;
    points.push([first, y], [first, y + 1], [end, y], [end, y + 1]);
  }
  return findHull(points);
}

interface Inside {
  /** Enclosed background pixels; less than 0.02 % of the box counts as 0. */
  readonly holeArea: number;
  /** 1 for pixels well inside the filled outline, 0 for all others. */
  readonly deep: Uint8Array;
}

export function findInside(mask: Mask, box: MaskBox): Inside {
  const { parts, order } = findParts(mask, { min: 0, max: 0, neighbours: 4 });
  const filled = mask.data.slice();
  let holeArea = 0;
  for (const { touchesFrame, area, start, end } of parts) {
    if (touchesFrame) continue;
    holeArea += area;
    for (const index of order.subarray(start, end)) filled[index] = 1;
  }
  const speck = 0.0002 * box.width * box.height;
  const margin = Math.max(3, 0.03 * Math.max(box.width, box.height));
  return {
    holeArea: holeArea > speck ? holeArea : 0,
    deep: erode({ ...mask, data: filled }, Math.floor(margin)),
  };
}

/** 1 where all pixels within `radius` rows and columns are 1; pixels beyond the picture's edge count as 0. */
const erode = (mask: Mask, radius: number): Uint8Array =>
  Uint8Array.from(sumWindows(mask, mask.data, radius), (sum) => (sum === (2 * radius + 1) ** 2 ? 1 : 0));

/** Fraction of the subject removed by an opening with a square of 6 % of the box's longer side (Serra 1982). */
export function measureThinness(mask: Mask, box: MaskBox): number {
  const radius = Math.max(1, Math.round(0.03 * Math.max(box.width, box.height)));
  const rest = erode(mask, radius).map((isCore) => 1 - isCore);
  // Pixels beyond the picture's edge count as core, so a subject cropped there is not thin.
  const farFromCore = erode({ ...mask, data: rest }, radius);
  return farFromCore.reduce((thin, isFar, index) => thin + (isFar & mask.data[index]!), 0) / box.area;
}
