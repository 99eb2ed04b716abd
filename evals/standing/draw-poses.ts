/** Draws the outlines of seeded solids that stand on a level ground, with their distance from it along the lower outline. */

import type { RgbaImage } from '../../packages/pixels/src/pixels.ts';
import { createRandom, hashSeed, type SeededRandom } from '../../packages/pixels/src/seeded-random.ts';
import type { Point } from './convex-parts.ts';
import { solids } from './solids.ts';

/** `rise`: how far the picture shows the point above the ground below it, in pixels. */
interface Pixel {
  readonly x: number;
  readonly y: number;
  readonly rise: number;
}

export interface Pose {
  readonly solid: string;
  /** Elevation of the camera in degrees. */
  readonly elevationDeg: number;
  /** Cropped to the product. */
  readonly image: RgbaImage;
  /**
   * For each column, the row of the lower outline, and how far it is above the ground below it, in pixels. Both are -1
   * where a column is empty.
   */
  readonly outline: readonly (readonly [row: number, rise: number])[];
}

/** Longer side of the pictures, in pixels. */
const side = 240;

export const solidNames = Object.keys(solids);

/**
 * Half of the cameras look down by at most 20 degrees, as in a shop; the others by up to 90. `isFrontal`: as most shops
 * photograph a product, from its front and hardly from above.
 */
export function drawPose(solid: string, number: number, isFrontal = false): Pose {
  const random = createRandom(hashSeed(solid, number));
  // Stretched in each direction, a bottle is also a flask, and a car a bus.
  const stretch = [0, 1, 2].map(() => 2 ** random.between(-0.6, 0.6)) as [number, number, number];
  const parts = solids[solid]!(random).map((part) =>
    part.map(([x, y, z]): Point => [x * stretch[0], y * stretch[1], z * stretch[2]]),
  );
  const isLow = solid !== 'flat' && random.next() < 0.5;
  const anyElevationDeg = isLow ? random.between(2, 20) : random.between(20, 90);
  const elevationDeg = isFrontal ? (anyElevationDeg % 14) + 1 : anyElevationDeg;
  const project = makeCamera(random, elevationDeg, solid === 'flat' ? 180 : 2.5, isFrontal ? 0.12 : Math.PI);
  const polygons = parts.map((part) => findHull(part.map(project)));
  const all = polygons.flat();
  const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...all.map(({ x }) => x)), Math.max(...all.map(({ y }) => y))];
  const scale = side / Math.max(right - left, bottom - top);
  const placed = polygons.map((polygon) =>
    polygon.map(({ x, y, rise }) => ({ x: (x - left) * scale, y: (y - top) * scale, rise: rise * scale })),
  );
  const size = [right - left, bottom - top].map((length) => Math.max(1, Math.round(length * scale)));
  return { solid, elevationDeg, ...fill(placed, size[0]!, size[1]!) };
}

/** A photo camera at a random distance, slightly tilted, and turned away from the product's front by up to `mostYaw`. */
function makeCamera(
  random: SeededRandom,
  elevationDeg: number,
  mostTiltDeg: number,
  mostYaw: number,
): (point: Point) => Pixel {
  const toRadians = Math.PI / 180;
  const yaw = (mostYaw / Math.PI) * random.between(0, 2 * Math.PI) - (mostYaw < Math.PI ? mostYaw : 0);
  const tilt = random.between(-1, 1) * mostTiltDeg * toRadians;
  const distance = random.between(3, 9);
  const [sin, cos] = [Math.sin(elevationDeg * toRadians), Math.cos(elevationDeg * toRadians)];
  const see = ([px, y, pz]: Point): readonly [number, number] => {
    const [x, z] = [px * Math.cos(yaw) - pz * Math.sin(yaw), px * Math.sin(yaw) + pz * Math.cos(yaw)];
    const depth = distance - (y * sin + z * cos);
    const [u, v] = [x / depth, (z * sin - y * cos) / depth];
    return [u * Math.cos(tilt) - v * Math.sin(tilt), u * Math.sin(tilt) + v * Math.cos(tilt)];
  };
  return (point) => {
    const [x, y] = see(point);
    return { x, y, rise: see([point[0], 0, point[2]])[1] - y };
  };
}

/** Andrew's monotone chain, as in `pixels/convex-hull`, which would lose the rise of the points. */
function findHull(points: readonly Pixel[]): Pixel[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (from: readonly Pixel[]): Pixel[] => {
    const hull: Pixel[] = [];
    for (const p of from) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2)!, hull.at(-1)!];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

function fill(polygons: readonly (readonly Pixel[])[], width: number, height: number) {
  const data = new Uint8Array(width * height * 4);
  const outline = Array.from({ length: width }, (): readonly [number, number] => [-1, -1]);
  for (const polygon of polygons) {
    const [first, last] = [Math.min(...polygon.map(({ x }) => x)), Math.max(...polygon.map(({ x }) => x))];
    // A part thinner than a pixel still fills one.
    const from = Math.min(width - 1, Math.max(0, Math.round(first)));
    for (let x = from; x < Math.max(from + 1, Math.min(width, Math.round(last))); x++) {
      const at = Math.min(last, Math.max(first, x + 0.5));
      const crossings = polygon.flatMap((one, i): Pixel[] => {
        const other = polygon[(i + 1) % polygon.length]!;
        if (Math.min(one.x, other.x) > at || Math.max(one.x, other.x) < at) return [];
        const t = one.x === other.x ? 0 : (at - one.x) / (other.x - one.x);
        return [{ x: at, y: one.y + t * (other.y - one.y), rise: one.rise + t * (other.rise - one.rise) }];
      });
      const top = crossings.reduce((high, { y }) => Math.min(high, y), height);
      const low = crossings.reduce((lowest, point) => (point.y > lowest.y ? point : lowest), crossings[0]!);
      if (low.y > outline[x]![0]) outline[x] = [low.y, low.rise];
      const start = Math.min(height - 1, Math.round(top));
      for (let y = start; y < Math.max(start + 1, Math.min(height, Math.round(low.y))); y++)
        data.set([150, 150, 150, 255], (y * width + x) * 4);
    }
  }
  return { image: { width, height, data }, outline };
}
