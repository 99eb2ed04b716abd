/** Convex parts, of which the seeded solids are unions. The ground is at the height 0. */
import type { SeededRandom } from '../../packages/pixels/src/seeded-random.ts';

export type Point = readonly [x: number, y: number, z: number];
/** Any points of which the convex part is the hull. */
export type Part = readonly Point[];
export type Maker = (random: SeededRandom) => Part[];

export function circle([x, y, z]: Point, radius: number, count = 32): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)] as const;
  });
}

export const ball = ([x, y, z]: Point, rx: number, ry = rx, rz = rx): Part =>
  [-1, -0.98, -0.9, -0.75, -0.5, 0, 0.5, 0.75, 0.9, 0.98, 1].flatMap((level) =>
    circle([0, 0, 0], Math.sqrt(1 - level ** 2), 20).map(
      ([a, , b]): Point => [x + rx * a, y + ry * level, z + rz * b],
    ),
  );

/** A rod between two points. */
export const rod = (from: Point, to: Point, radius: number): Part => [
  ...ball(from, radius),
  ...ball(to, radius),
];

/** Corners, from below to above; `lean` moves the upper ones. */
export function block(
  [w, d]: readonly [number, number],
  [from, to]: readonly [number, number],
  [x, z] = [0, 0],
): Part {
  const corner = (y: number, a: number, b: number): Point => [x + (a * w) / 2, y, z + (b * d) / 2];
  return [from, to].flatMap((y) => [-1, 1].flatMap((a) => [-1, 1].map((b) => corner(y, a, b))));
}

/** A turned body: height and radius of its rings, from the foot up. */
export const turn = (rings: readonly (readonly [y: number, radius: number])[], [x, z] = [0, 0]): Part[] =>
  rings
    .slice(1)
    .map(([y, radius], i) => [...circle([x, rings[i]![0], z], rings[i]![1]), ...circle([x, y, z], radius)]);

const move = (parts: readonly Part[], [dx, dz]: readonly [number, number], turnBy = 0, size = 1): Part[] => {
  const [sin, cos] = [size * Math.sin(turnBy), size * Math.cos(turnBy)];
  return parts.map((part) =>
    part.map(([x, y, z]): Point => [dx + x * cos - z * sin, size * y, dz + x * sin + z * cos]),
  );
};

/** One to `most` solids of a kind in a loose row. */
export const group =
  (make: Maker, most: number, apart: number): Maker =>
  (random) => {
    const count = 1 + Math.floor(random.next() * most);
    return Array.from({ length: count }, (_, i) => {
      const x = (i - (count - 1) / 2) * apart + random.between(-0.1, 0.1) * apart;
      return move(make(random), [x, random.between(-0.7, 0.7) * apart], random.between(0, 6.3));
    }).flat();
  };

export const wheel = ([x, z]: readonly [number, number], radius: number, thick: number): Part =>
  [z - thick / 2, z + thick / 2].flatMap((at) =>
    circle([0, 0, 0], radius).map(([a, , b]): Point => [x + a, radius + b, at]),
  );

export const arc = (
  [x, y]: readonly [number, number],
  [rx, ry]: readonly [number, number],
  [from, to]: readonly [number, number],
  radius: number,
): Part[] =>
  Array.from({ length: 10 }, (_, i) => {
    const at = (step: number): Point => {
      const angle = from + ((to - from) * step) / 10;
      return [x + rx * Math.cos(angle), y + ry * Math.sin(angle), 0];
    };
    return rod(at(i), at(i + 1), radius);
  });
