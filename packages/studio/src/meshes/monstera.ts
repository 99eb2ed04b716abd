/** Monstera plants: split leaves on long stalks. Leaves are built lobe by lobe. */
import { smoothstep } from 'packshot-pixels';
import { hashUnit } from '../noise.ts';
import { droop, makeStalk } from './leaf.ts';
import { joinMeshes, type Mesh, makeGridMesh, moveMesh, type Vec3 } from './mesh.ts';

/**
 * Three leaves from one root; the middle one is the highest. The height of its top above the root is 1.05 to 1.2 times
 * `length`.
 */
export function makeMonstera(length: number, seed: number): Mesh {
  const parts: Mesh[] = [];
  for (const [i, lean] of [-0.38, 0.05, 0.4].entries()) {
    const random = (salt: number): number => hashUnit(seed * 409 + i * 53 + salt);
    const reach = length * (i === 1 ? 0.88 : 0.62 + 0.16 * random(1));
    const leaning = lean + 0.25 * (random(2) - 0.5);
    const stalk = droop({
      from: [0, 0, 0.02 * (i - 1) * length],
      direction: [Math.sin(leaning), Math.cos(leaning), 0.1],
      length: reach,
      pull: [0.5 * Math.sign(leaning), -0.1, 0.35],
      sag: 0.35,
      count: 12,
    });
    parts.push(makeStalk(stalk, 0.009 * length));
    const [x, y, z] = stalk[stalk.length - 1]!;
    parts.push(
      moveMesh(makeSplitLeaf(length * (0.34 + 0.08 * random(3)), seed * 7 + i), {
        at: [x, y, z],
        // From the end of its stalk, the blade extends outward, about level, and faces the camera.
        turn: [0.3 + 0.3 * random(4), 0.5 * leaning, -Math.sign(leaning) * (1.25 + 0.6 * random(5))],
      }),
    );
  }
  return joinMeshes(parts);
}

/** Number of lobes on either side of the midrib. */
const LOBES = 6;
const ACROSS = 9;
const OUTWARD = 12;

/** A leaf in the plane z = 0, from the stalk at the origin to the tip at (0, length, 0), facing +z. */
function makeSplitLeaf(length: number, seed: number): Mesh {
  const parts: Mesh[] = [];
  for (const side of [-1, 1] as const) {
    for (let lobe = 0; lobe < LOBES; lobe++) {
      parts.push(makeLobe(length, side, lobe, hashUnit(seed * 17 + lobe * 2 + (side + 1) / 2)));
    }
  }
  return joinMeshes(parts);
}

/** One lobe of a leaf. Neighboring lobes touch near the midrib and separate toward the edge. */
function makeLobe(length: number, side: 1 | -1, lobe: number, chance: number): Mesh {
  // The outermost lobes (at the stalk and at the tip) are barely split.
  const cut = lobe === 0 || lobe === LOBES - 1 ? 0.92 : 0.52 + 0.22 * chance;
  return makeGridMesh({
    columns: ACROSS,
    rows: OUTWARD,
    place: (column, row, out, offset) => {
      const tau = (2 * column) / (ACROSS - 1) - 1;
      const c = row / (OUTWARD - 1);
      const parted = smoothstep(cut, cut + 0.16, c);
      const narrow = 1 - 0.17 * parted;
      // The edge recedes at a lobe's corners, so that its end is rounded.
      const drawn = c * (1 - (0.02 + (lobe === LOBES - 1 ? 0 : 0.12 * parted)) * tau ** 4);
      const t = (lobe + 0.5 + 0.5 * tau * narrow) / LOBES;
      const [x, y] = placeOnLeaf(t, drawn);
      // Each lobe is a shallow gutter along its vein. The whole leaf curves down toward its sides and its tip.
      const gutter = 0.03 * Math.abs(tau) * Math.min(1, 3 * c);
      const fall = 0.2 * x * x + 0.16 * y * y - 0.08 * Math.abs(x);
      out[offset] = side * length * x;
      out[offset + 1] = length * y;
      out[offset + 2] = length * (gutter - fall);
    },
  });
}

/**
 * A point of a heart-shaped leaf of length 1. `t` runs from 0 at the stalk to 1 at the tip, `c` from 0 on the midrib to
 * 1 on the edge.
 */
function placeOnLeaf(t: number, c: number): Vec3 {
  const theta = 2.75 * (1 - t) ** 0.9;
  const radius = 0.54 + 0.46 * ((1 + Math.cos(theta)) / 2) ** 2.4;
  const root = 0.86 * t ** 1.6;
  // Veins leave the midrib steeply and bend toward the tip.
  const [rimX, rimY] = [radius * Math.sin(theta) * 1.06, radius * Math.cos(theta)];
  const bow = 0.1 * c * (1 - c) * (1 - t);
  return [rimX * c, root + (rimY - root) * c ** 1.1 - bow, 0];
}
