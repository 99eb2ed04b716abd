/** Parts of plants: eucalyptus and olive branches, palm fronds, pampas plumes and scattered petals. */
import { hashUnit } from '../noise.ts';
import { cross, droop, follow, type Leaf, makeLeaf, makeStalk, unit } from './leaf.ts';
import { joinMeshes, type Mesh, moveMesh, type Vec3 } from './mesh.ts';

/** Direction in which leaves droop. Plants grow along +y from the origin and face +z. */
const DOWN: Vec3 = [0, -1, 0];

/** Arrangement of the leaves on a branch. Lengths are fractions of the branch's length. */
interface Habit {
  readonly pairs: number;
  readonly leafLength: number;
  readonly leafWidth: number;
  readonly widest: number;
  readonly point: number;
  /** Angle between leaf and stalk, in radians. */
  readonly spread: number;
  readonly sag: number;
  /**
   * How far the leaves' upper sides turn toward the camera, 0 to 1. At 1, the leaves look pressed flat; at 0, every
   * other pair is seen about edge-on.
   */
  readonly facing: number;
  /** Positions of side twigs along the branch, 0 (base) to 1 (tip). */
  readonly twigs: readonly number[];
}

/**
 * A branch with pairs of round leaves, like silver-dollar eucalyptus. `leafWidth` is a fraction of the branch's length.
 */
export function makeBranch(length: number, leafWidth: number, seed: number): Mesh {
  return dressBranch(length, seed, {
    pairs: 9,
    leafLength: 1.4 * leafWidth,
    leafWidth: 1.25 * leafWidth,
    widest: 0.46,
    point: 0.62,
    spread: 0.95,
    sag: 0.35,
    facing: 0.75,
    twigs: [0.3, 0.46, 0.62],
  });
}

/** A branch with narrow pointed leaves on forked twigs. */
export function makeOlive(length: number, seed: number): Mesh {
  return dressBranch(length, seed, {
    pairs: 11,
    leafLength: 0.17,
    leafWidth: 0.038,
    widest: 0.5,
    point: 0.8,
    spread: 0.75,
    sag: 0.4,
    facing: 0.6,
    twigs: [0.22, 0.36, 0.5, 0.64],
  });
}

function dressBranch(length: number, seed: number, habit: Habit): Mesh {
  const random = (salt: number): number => hashUnit(seed * 977 + salt);
  const stem = droop({
    from: [0, 0, 0],
    direction: [0.12 * (random(1) - 0.5), 1, 0.1 * (random(2) - 0.5)],
    length,
    pull: [random(3) < 0.5 ? -0.8 : 0.8, -0.5, 0.3],
    sag: 0.25 + 0.3 * random(4),
    count: 14,
  });
  const parts = [makeStalk(stem, 0.007 * length), ...dressStalk(stem, length, seed * 31, habit)];
  for (const [i, t] of habit.twigs.entries()) {
    const { at, along } = follow(stem, t + 0.05 * random(10 + i));
    const side = (i % 2 === 0) === seed % 2 < 1 ? 1 : -1;
    const twig = droop({
      from: at,
      direction: [along[0] + side * 0.75, along[1], along[2] + 0.5 * (random(20 + i) - 0.4)],
      length: length * (0.46 - 0.28 * t),
      pull: [0.2 * side, -0.6, 0.2],
      sag: 0.5,
      count: 8,
    });
    const fewer = { ...habit, pairs: Math.round(habit.pairs * 0.5) };
    parts.push(makeStalk(twig, 0.0045 * length), ...dressStalk(twig, length * 0.9, seed * 31 + i + 1, fewer));
  }
  return joinMeshes(parts);
}

/** Adds leaves to a stalk: pairs, each rotated relative to the pair below, and one leaf at the tip. */
function dressStalk(line: readonly Vec3[], length: number, seed: number, habit: Habit): Mesh[] {
  const leaves: Mesh[] = [];
  for (let i = 0; i <= habit.pairs * 2; i++) {
    const random = (salt: number): number => hashUnit(seed * 613 + i * 29 + salt);
    const isTip = i === habit.pairs * 2;
    const t = isTip ? 1 : 0.12 + (0.86 * (Math.floor(i / 2) + 0.3 * random(1) + 0.2 * (i % 2))) / habit.pairs;
    const { at, along } = follow(line, t);
    // Axes around the stalk: `right` is parallel to the picture, `front` faces the camera.
    const right = unit(cross(along, [0, 0, 1]));
    const front = cross(right, along);
    const around = (Math.floor(i / 2) % 2) * 1.2 + (i % 2) * Math.PI + 0.7 * (random(2) - 0.5);
    const out: Vec3 = [0, 1, 2].map(
      (axis) => Math.cos(around) * right[axis]! + Math.sin(around) * front[axis]!,
    ) as [number, number, number];
    const spread = isTip ? 0.1 : habit.spread * (0.75 + 0.5 * random(3)) * (1.1 - 0.35 * t);
    const size = (0.72 + 0.56 * random(4)) * (1.08 - 0.45 * t);
    const direction: Vec3 = [0, 1, 2].map(
      (axis) => Math.cos(spread) * along[axis]! + Math.sin(spread) * out[axis]!,
    ) as [number, number, number];
    const { facing } = habit;
    leaves.push(
      makeLeaf({
        path: droop({
          from: at,
          direction,
          length: habit.leafLength * length * size,
          pull: DOWN,
          sag: habit.sag * (0.4 + random(5)),
          count: 7,
        }),
        width: habit.leafWidth * length * size,
        widest: habit.widest,
        point: habit.point,
        up: unit([
          (1 - facing) * along[0] + 0.7 * (random(6) - 0.5),
          (1 - facing) * along[1] + 0.7 * (random(7) - 0.3),
          (1 - facing) * along[2] + facing,
        ]),
        fold: 0.06 + 0.2 * random(8),
      }),
    );
  }
  return leaves;
}

/**
 * A feather palm frond: leaflets leave the arched rib in two rows, rise slightly toward the camera, and droop toward
 * their tips by varying amounts. A comb of straight leaflets would look like a net.
 */
export function makePalm(length: number, seed: number): Mesh {
  const tilt = hashUnit(seed * 571 + 3) < 0.5 ? -1 : 1;
  const rib = droop({
    from: [0, 0, 0],
    direction: [-0.1 * tilt, 1, 0.18],
    length,
    pull: [0.35 * tilt, -0.55, -0.75],
    sag: 0.55,
    count: 18,
  });
  const parts = [makeStalk(rib, 0.011 * length)];
  const pairs = 21;
  for (let i = 0; i < pairs * 2; i++) {
    const random = (salt: number): number => hashUnit(seed * 571 + i * 37 + salt);
    const side = i % 2 === 0 ? 1 : -1;
    const t = 0.16 + (0.83 * (Math.floor(i / 2) + 0.35 * random(1) + 0.2 * (i % 2))) / pairs;
    const { at, along } = follow(rib, t);
    const right = unit(cross(along, [0, 0, 1]));
    const angle = 1.12 - 0.72 * t + 0.12 * (random(2) - 0.5);
    const leaf: Leaf = {
      path: droop({
        from: at,
        direction: [
          Math.cos(angle) * along[0] + side * Math.sin(angle) * right[0],
          Math.cos(angle) * along[1] + side * Math.sin(angle) * right[1],
          Math.cos(angle) * along[2] + side * Math.sin(angle) * right[2] + 0.3,
        ],
        length: length * 0.43 * Math.sin(Math.PI * (0.24 + 0.68 * t)) * (0.9 + 0.2 * random(3)),
        pull: [0, -0.85, -0.55],
        sag: 0.3 + 1.1 * random(4) ** 1.5,
        count: 9,
      }),
      width: length * 0.037 * (1.1 - 0.35 * t),
      widest: 0.3,
      up: [-0.35 * side, 0.3, 1],
      fold: 0.45,
      columns: 3,
    };
    parts.push(makeLeaf(leaf));
  }
  return joinMeshes(parts);
}

/** A plume of dried pampas grass: a bent stem with fine ribbons that grow upwards and droop outwards. */
export function makePampas(length: number, seed: number): Mesh {
  const random = (salt: number): number => hashUnit(seed * 769 + salt);
  const lean = random(1) - 0.5;
  const straw = droop({
    from: [0, 0, 0],
    direction: [0.1 * lean, 1, 0],
    length,
    pull: [1.6 * lean, -0.25, 0.25],
    sag: 0.7,
    count: 16,
  });
  const parts = [makeStalk(straw, 0.006 * length)];
  const strands = 420;
  for (let i = 0; i < strands; i++) {
    const pick = (salt: number): number => hashUnit(seed * 769 + 1000 + i * 13 + salt);
    const share = (i + pick(1)) / strands;
    const { at, along } = follow(straw, 0.5 + 0.5 * share);
    const around = i * 2.39996;
    const out = 0.34 + 0.3 * pick(2) - 0.25 * share;
    // The plume is widest a third of the way up, and tapers to a soft tip.
    const fullness = Math.sin(Math.PI * (0.16 + 0.76 * share) ** 0.8);
    parts.push(
      makeLeaf({
        path: droop({
          from: at,
          direction: [
            along[0] + out * Math.cos(around),
            along[1] + 0.2 * pick(3),
            along[2] + out * Math.sin(around),
          ],
          length: length * (0.07 + 0.11 * fullness) * (0.7 + 0.5 * pick(4)),
          pull: [0.7 * Math.cos(around) + lean, -1, 0.7 * Math.sin(around)],
          sag: 0.5 + 0.6 * pick(5),
          count: 5,
        }),
        width: 0.0085 * length,
        widest: 0.4,
        up: [Math.cos(around), 0.4, Math.sin(around) + 0.6],
        fold: 0,
        columns: 2,
      }),
    );
  }
  return joinMeshes(parts);
}

/**
 * Petals scattered on the plane z = 0 within an ellipse, each with a different curl. The ellipse's half axes are
 * `spread` along x and 1.4 times `spread` along y.
 */
export function makePetals(count: number, size: number, spread: number, seed: number): Mesh {
  const parts: Mesh[] = [];
  for (let i = 0; i < count; i++) {
    const random = (salt: number): number => hashUnit(seed * 389 + i * 41 + salt);
    const petal = makeLeaf({
      path: droop({
        from: [0, 0, 0],
        direction: [0, 1, 0.15],
        length: size * (1.3 + 0.5 * random(1)),
        pull: [0.3 * (random(7) - 0.5), -0.2, 1],
        sag: 0.15 + 0.45 * random(3),
        count: 10,
      }),
      width: size * (1.25 + 0.4 * random(2)),
      widest: 0.6,
      point: 0.45,
      up: [0, 0, 1],
      fold: 0.03,
      cup: 0.35 + 0.4 * random(8),
      wave: 0.1,
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
