/** Draws the outlines of simple solids that stand on a level ground, with the points at which they touch it. */
import type { RgbaImage } from '../../src/pixels.ts';
import { createRandom } from '../../src/scenes/seeded-random.ts';

type Point = readonly [x: number, y: number, z: number];
type Pixel = readonly [x: number, y: number];
/** A convex part, as any points of which it is the hull. */
type Part = readonly Point[];

interface Solid {
  readonly parts: readonly Part[];
  /** Points at the height 0. */
  readonly contacts: readonly Point[];
  /** For each contact, the part that it belongs to, if other parts can hide it. */
  readonly owners?: readonly number[];
}

export interface Pose {
  readonly solid: string;
  /** Elevation of the camera in degrees. */
  readonly elevationDeg: number;
  /** Cropped to the product. */
  readonly image: RgbaImage;
  /** The contacts on the lower outline, in pixels of `image`. */
  readonly contacts: readonly Pixel[];
}

type Random = () => number;

const circle = (x: number, y: number, z: number, radius: number): Point[] =>
  Array.from({ length: 48 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 48;
    return [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)] as const;
  });

const block = (
  w: number,
  d: number,
  from: number,
  to: number,
  [x, z]: readonly [number, number] = [0, 0],
): Part =>
  [from, to].flatMap((y) =>
    [-1, 1].flatMap((a) => [-1, 1].map((b): Point => [x + (a * w) / 2, y, z + (b * d) / 2])),
  );

const along = (corners: readonly Point[]): Point[] =>
  corners.flatMap((from, i) => {
    const to = corners[(i + 1) % corners.length]!;
    return Array.from({ length: 16 }, (_, step): Point => {
      const mixed = (axis: 0 | 2): number => from[axis] + ((to[axis] - from[axis]) * step) / 16;
      return [mixed(0), 0, mixed(2)];
    });
  });

function makeBox(random: Random): Solid {
  const [w, h, d] = [0.3 + random(), 0.2 + random(), 0.2 + 0.8 * random()];
  const part = block(w, d, 0, h);
  return { parts: [part], contacts: along([part[0]!, part[1]!, part[3]!, part[2]!]) };
}

/** Rings of a turned body, from the foot up: height and radius. */
function turn(rings: readonly (readonly [y: number, radius: number])[], x: number, z: number): Part[] {
  return rings
    .slice(1)
    .map(([y, radius], i) => [...circle(x, rings[i]![0], z, rings[i]![1]), ...circle(x, y, z, radius)]);
}

function makeBottles(random: Random): Solid {
  const count = 1 + Math.floor(random() * 4);
  const [parts, contacts]: [Part[], Point[]] = [[], []];
  for (let i = 0; i < count; i++) {
    const [radius, height] = [0.12 + 0.1 * random(), 0.6 + 0.6 * random()];
    const [x, z] = [(i - (count - 1) / 2) * 0.4 + 0.1 * random(), (random() - 0.5) * 0.5];
    const neck = 0.4 * radius;
    const foot = radius * (0.85 + 0.15 * random());
    const rings = [
      [0, foot],
      [0.05 * height, radius],
      [0.6 * height, radius],
      [0.75 * height, neck],
      [height, neck],
    ] as const;
    parts.push(...turn(rings, x, z));
    contacts.push(...circle(x, 0, z, foot));
  }
  return { parts, contacts };
}

/** A sole that rises toward the toe, and an upper that is high at the heel. */
function makeShoe(random: Random): Solid {
  const [width, thick, heel] = [0.32 + 0.08 * random(), 0.05 + 0.05 * random(), 0.35 + 0.4 * random()];
  const stadium = (y: number, grow: number, from = -0.5, to = 0.35): Point[] => [
    ...circle(from + width / 2, y, 0, (width / 2) * 0.85 + grow),
    ...circle(to - width / 2, y, 0, width / 2 + grow),
  ];
  const toe: Part = [
    ...circle(0.25, 0, 0, width / 2),
    ...circle(0.38, 0.05, 0, width / 2.4),
    ...circle(0.36, 0.16, 0, width / 3),
  ];
  return {
    parts: [
      [...stadium(0, 0), ...stadium(thick, 0.015)],
      toe,
      [...stadium(thick, 0.01), ...circle(-0.28, heel, 0, 0.12), ...circle(0.2, 0.18, 0, 0.1)],
    ],
    contacts: [
      ...circle(-0.5 + width / 2, 0, 0, (width / 2) * 0.85),
      ...circle(0.35 - width / 2, 0, 0, width / 2),
      ...along([
        [-0.3, 0, -width * 0.45],
        [0.15, 0, -width / 2],
      ]),
      ...along([
        [-0.3, 0, width * 0.45],
        [0.15, 0, width / 2],
      ]),
    ],
  };
}

function makeCar(random: Random): Solid {
  const [length, width, high] = [1.2 + 0.4 * random(), 0.5 + 0.15 * random(), 0.09 + 0.05 * random()];
  const radius = 0.13 + 0.03 * random();
  const parts: Part[] = [
    block(length, width, high, high + 0.22),
    [
      ...block(length * 0.6, width, high + 0.2, high + 0.21),
      ...block(length * 0.4, width * 0.8, high + 0.42, high + 0.43),
    ],
  ];
  const contacts: Point[] = [];
  const owners: number[] = [];
  for (const side of [-1, 1]) {
    for (const end of [-0.32, 0.3]) {
      const [x, z] = [end * length, (side * width) / 2];
      const rim = (at: number): Point[] => circle(x, 0, 0, radius).map(([px, , py]) => [px, radius + py, at]);
      parts.push([...rim(z), ...rim(z - side * 0.12)]);
      contacts.push([x, 0, z], [x, 0, z - side * 0.06], [x, 0, z - side * 0.12]);
      owners.push(parts.length - 1, parts.length - 1, parts.length - 1);
    }
  }
  return { parts, contacts, owners };
}

/** A ring that lies flat. */
function makeRing(random: Random): Solid {
  const [radius, tube] = [0.4, 0.03 + 0.09 * random()];
  const at = (i: number): Point[] => {
    const angle = (2 * Math.PI * i) / 40;
    const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return [
      ...circle(x, tube, z, tube),
      ...circle(x, 2 * tube, z, tube * 0.3),
      ...circle(x, 0, z, tube * 0.3),
      ...circle(x, tube * 1.7, z, tube * 0.7),
      ...circle(x, tube * 0.3, z, tube * 0.7),
    ];
  };
  return {
    parts: Array.from({ length: 40 }, (_, i) => [...at(i), ...at(i + 1)]),
    contacts: circle(0, 0, 0, radius),
  };
}

const solids = { box: makeBox, bottles: makeBottles, shoe: makeShoe, car: makeCar, ring: makeRing } as const;

/** Half of the cameras look down by at most 20 degrees, as in a shop; the others by up to 75. */
export function drawPose(number: number): Pose {
  const random = createRandom(number * 7919 + 17).next;
  const names = Object.keys(solids) as (keyof typeof solids)[];
  const solid = names[number % names.length]!;
  const { parts, contacts, owners } = solids[solid](random);
  const yaw = 2 * Math.PI * random();
  const elevationDeg = random() < 0.5 ? 3 + 17 * random() : 20 + 55 * random();
  const project = makeCamera(yaw, (elevationDeg * Math.PI) / 180);
  const polygons = parts.map((part) => findHull(part.map(project)));
  const all = polygons.flat();
  const [left, top] = [0, 1].map((axis) => Math.min(...all.map((point) => point[axis]!))) as [number, number];
  const [right, bottom] = [0, 1].map((axis) => Math.max(...all.map((point) => point[axis]!))) as [
    number,
    number,
  ];
  const scale = SIDE / Math.max(right - left, bottom - top);
  const toPixel = ([x, y]: Pixel): Pixel => [(x - left) * scale, (y - top) * scale];
  const image = fill(
    polygons.map((polygon) => polygon.map(toPixel)),
    Math.max(1, Math.round((right - left) * scale)),
    Math.max(1, Math.round((bottom - top) * scale)),
  );
  const shown = contacts
    .map((point) => toPixel(project(point)))
    .filter((pixel, i) => {
      const isHidden =
        owners !== undefined &&
        polygons.some((polygon, part) => part !== owners[i] && isInside(polygon.map(toPixel), pixel));
      return !isHidden && isOnLowerOutline(image, pixel);
    });
  return { solid, elevationDeg, image, contacts: shown };
}

const SIDE = 240;
/** Distance of the camera, in multiples of the size of the solids. */
const DISTANCE = 5;

function makeCamera(yaw: number, elevation: number): (point: Point) => Pixel {
  const [sin, cos] = [Math.sin(elevation), Math.cos(elevation)];
  return ([px, y, pz]) => {
    const [x, z] = [px * Math.cos(yaw) - pz * Math.sin(yaw), px * Math.sin(yaw) + pz * Math.cos(yaw)];
    const depth = DISTANCE - (y * sin + z * cos);
    return [x / depth, (z * sin - y * cos) / depth];
  };
}

function findHull(points: readonly Pixel[]): Pixel[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (from: readonly Pixel[]): Pixel[] => {
    const hull: Pixel[] = [];
    for (const p of from) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2)!, hull.at(-1)!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function fill(polygons: readonly (readonly Pixel[])[], width: number, height: number): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (const polygon of polygons) {
    for (let y = 0; y < height; y++) {
      const crossings = polygon.flatMap(([x1, y1], i) => {
        const [x2, y2] = polygon[(i + 1) % polygon.length]!;
        const isCrossed = y1 <= y + 0.5 !== y2 <= y + 0.5;
        return isCrossed ? [x1 + ((y + 0.5 - y1) * (x2 - x1)) / (y2 - y1)] : [];
      });
      const [from, to] = [Math.min(...crossings), Math.max(...crossings)];
      for (let x = Math.max(0, Math.round(from)); x < Math.min(width, Math.round(to)); x++)
        data.set([150, 150, 150, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

/** Whether a convex polygon contains the pixel just above this one. */
function isInside(polygon: readonly Pixel[], [x, y]: Pixel): boolean {
  return polygon.every(([x1, y1], i) => {
    const [x2, y2] = polygon[(i + 1) % polygon.length]!;
    return (x2 - x1) * (y - 2 - y1) - (y2 - y1) * (x - x1) >= 0;
  });
}

/** Whether nothing of the product is below the pixel. */
function isOnLowerOutline({ width, height, data }: RgbaImage, [px, py]: Pixel): boolean {
  const x = Math.min(width - 1, Math.max(0, Math.floor(px)));
  let lowest = -1;
  for (let y = 0; y < height; y++) if (data[(y * width + x) * 4 + 3]! > 0) lowest = y;
  return lowest >= 0 && Math.abs(lowest + 1 - py) <= 0.01 * height;
}
