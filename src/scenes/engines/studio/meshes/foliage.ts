/** Leaves that bend and fold, and the branches, fronds and petals made of them. */
import { hashUnit } from '../noise.ts';
import { joinMeshes, type Mesh, makeGridMesh, moveMesh, type Vec3 } from './mesh.ts';

export interface Blade {
  readonly length: number;
  /** Largest width. */
  readonly width: number;
  /** Where along the length it is widest, 0.2 to 0.8. */
  readonly widest: number;
  /** Radians from base to tip, downwards. */
  readonly bend: number;
  /** Height of the rims over the midrib as a share of the half width. */
  readonly fold: number;
  readonly columns: number;
  readonly rows: number;
}

/** Grows along +y from the origin, its upper side towards +z. */
export function makeBlade({ length, width, widest, bend, fold, columns, rows }: Blade): Mesh {
  return makeGridMesh({
    columns,
    rows,
    place: (column, row, out, offset) => {
      const t = row / (rows - 1);
      const side = (2 * column) / (columns - 1) - 1;
      // A curve that is 0 at both ends, pointed at the tip, and 1 at `widest`.
      const half = (width / 2) * bladeProfile(t, widest);
      const angle = bend * t;
      const along = bend === 0 ? length * t : (length * Math.sin(angle)) / bend;
      const drop = bend === 0 ? 0 : (length * (1 - Math.cos(angle))) / bend;
      const lift = fold * half * Math.abs(side) + 0.02 * length * Math.sin(9 * t + 2 * side) * side * side;
      out[offset] = side * half;
      out[offset + 1] = along + lift * Math.sin(angle);
      out[offset + 2] = lift * Math.cos(angle) - drop;
    },
  });
}

function bladeProfile(t: number, widest: number): number {
  const power = Math.log(0.5) / Math.log(widest);
  return Math.max(0.004, Math.sin(Math.PI * Math.min(1, t ** power)) ** 0.6);
}

function makeStem(points: readonly Vec3[], radius: number): Mesh {
  const sides = 7;
  return makeGridMesh({
    columns: sides,
    rows: points.length,
    closedColumns: true,
    place: (column, row, out, offset) => {
      const angle = (-2 * Math.PI * column) / sides;
      const r = radius * (1 - (0.7 * row) / (points.length - 1));
      const [x, y, z] = points[row]!;
      out[offset] = x + r * Math.cos(angle);
      out[offset + 1] = y;
      out[offset + 2] = z + r * Math.sin(angle);
    },
  });
}

/** The stem's line: leans and curls a little, by seed. */
function stemPoint(length: number, seed: number, t: number): Vec3 {
  const sway = 0.16 * (hashUnit(seed * 13 + 1) - 0.5) + 0.1;
  const deep = 0.24 * (hashUnit(seed * 13 + 2) - 0.5);
  return [length * sway * t * t, length * t, length * deep * t * t];
}

function stemLine(length: number, seed: number, count: number): Vec3[] {
  return Array.from({ length: count }, (_, i) => stemPoint(length, seed, i / (count - 1)));
}

/** Round leaves in loose pairs, like eucalyptus; `leafWidth` is the width of a leaf over the branch's length. */
export function makeBranch(length: number, leafWidth: number, seed: number): Mesh {
  const parts = [makeStem(stemLine(length, seed, 14), 0.008 * length)];
  const pairs = 10;
  for (let i = 0; i < pairs * 2; i++) {
    const random = (salt: number): number => hashUnit(seed * 977 + i * 31 + salt);
    const t = 0.14 + (0.84 * (Math.floor(i / 2) + 0.35 * (i % 2) + 0.3 * random(1))) / pairs;
    const size = 1.3 * leafWidth * length * (1.15 - 0.55 * t) * (0.8 + 0.4 * random(2));
    const leaf = makeBlade({
      length: size * 1.18,
      width: size,
      widest: 0.5,
      bend: 0.2 + 0.5 * random(3),
      fold: 0.1 + 0.15 * random(4),
      columns: 7,
      rows: 10,
    });
    const around = i * 2.4 + 0.8 * random(5);
    const spread = 0.6 + 0.4 * random(6) - 0.3 * t;
    // Turned on its stalk: a branch whose leaves all lie flat shows their edges to the camera.
    const twisted = moveMesh(leaf, { at: [0, 0, 0], turn: [0, 1.6 * (random(7) - 0.5), 0] });
    const tilted = moveMesh(twisted, { at: [0, 0.01 * length, 0], turn: [-spread, 0, 0] });
    parts.push(moveMesh(tilted, { at: stemPoint(length, seed, Math.min(1, t)), turn: [0, around, 0] }));
  }
  return joinMeshes(parts);
}

/** A feather palm's frond: leaflets that leave the arching stem in two ranks. */
export function makePalm(length: number, seed: number): Mesh {
  const point = (t: number): Vec3 => [length * 0.06 * t, length * (t - 0.18 * t * t), -length * 0.28 * t * t];
  const parts = [
    makeStem(
      Array.from({ length: 16 }, (_, i) => point(i / 15)),
      0.011 * length,
    ),
  ];
  const pairs = 30;
  for (let i = 0; i < pairs * 2; i++) {
    const random = (salt: number): number => hashUnit(seed * 571 + i * 37 + salt);
    const side = i % 2 === 0 ? 1 : -1;
    const t = 0.1 + (0.89 * (Math.floor(i / 2) + 0.3 * random(1))) / pairs;
    const leafLength = length * 0.42 * Math.sin(Math.PI * (0.16 + 0.8 * t)) * (0.92 + 0.16 * random(2));
    const leaflet = makeBlade({
      length: leafLength,
      width: length * 0.032,
      widest: 0.32,
      bend: 0.35 + 0.35 * random(3),
      fold: 0.5,
      columns: 5,
      rows: 10,
    });
    const angle = side * (1.12 - 0.62 * t + 0.08 * random(4));
    parts.push(moveMesh(leaflet, { at: point(t), turn: [-0.22 - 0.35 * t, 0.25 * side, -angle] }));
  }
  return joinMeshes(parts);
}

/** Petals scattered on the plane z = 0 within a ring, each curled its own way. */
export function makePetals(count: number, size: number, spread: number, seed: number): Mesh {
  const parts: Mesh[] = [];
  for (let i = 0; i < count; i++) {
    const random = (salt: number): number => hashUnit(seed * 389 + i * 41 + salt);
    const petal = makeBlade({
      length: size * (1.5 + 0.6 * random(1)),
      width: size * (1.3 + 0.4 * random(2)),
      widest: 0.62,
      bend: -0.5 - 0.5 * random(3),
      fold: 0.3,
      columns: 9,
      rows: 10,
    });
    const distance = spread * Math.sqrt(random(4));
    const around = 2 * Math.PI * random(5);
    parts.push(
      moveMesh(petal, {
        at: [distance * Math.cos(around), 1.4 * distance * Math.sin(around), 0.012],
        turn: [0.12, 0, 2 * Math.PI * random(6)],
      }),
    );
  }
  return joinMeshes(parts);
}
