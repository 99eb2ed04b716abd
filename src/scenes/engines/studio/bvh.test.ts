import { describe, expect, it } from 'vitest';
import { type Bvh, buildBvh } from './bvh.ts';
import { moveMesh } from './meshes/mesh.ts';
import { makeSphere } from './meshes/revolve.ts';
import { makeStone } from './meshes/stone.ts';
import { hashUnit } from './noise.ts';
import { findClosest, type Hit, isBlocked } from './trace-ray.ts';

function makeTestSet(): Bvh {
  return buildBvh([
    { mesh: moveMesh(makeStone(0.5, 3, undefined), { at: [0.3, 0, 0] }), material: 1 },
    { mesh: moveMesh(makeSphere(0.4), { at: [-0.6, 0.2, -0.3] }), material: 2 },
  ]);
}

/** Moeller and Trumbore over every triangle, without the tree. */
function bruteForce(bvh: Bvh, o: readonly number[], d: readonly number[]): number {
  let best = Number.POSITIVE_INFINITY;
  const { corners: c } = bvh;
  const [ox, oy, oz] = o as [number, number, number];
  const [dx, dy, dz] = d as [number, number, number];
  for (let i = 0; i < bvh.triangleCount * 9; i += 9) {
    const [e1x, e1y, e1z] = [c[i + 3]!, c[i + 4]!, c[i + 5]!];
    const [e2x, e2y, e2z] = [c[i + 6]!, c[i + 7]!, c[i + 8]!];
    const [nx, ny, nz] = [e1y * e2z - e1z * e2y, e1z * e2x - e1x * e2z, e1x * e2y - e1y * e2x];
    // Cramer's rule for o + t d = v0 + u e1 + v e2, by the triple products.
    const [sx, sy, sz] = [ox - c[i]!, oy - c[i + 1]!, oz - c[i + 2]!];
    const determinant = -(dx * nx + dy * ny + dz * nz);
    const t = (sx * nx + sy * ny + sz * nz) / determinant;
    const [mx, my, mz] = [sy * dz - sz * dy, sz * dx - sx * dz, sx * dy - sy * dx];
    const u = (e2x * mx + e2y * my + e2z * mz) / determinant;
    const v = -(e1x * mx + e1y * my + e1z * mz) / determinant;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best) {
      best = t;
    }
  }
  return best;
}

describe('the tree', () => {
  it('finds for random rays what a search through every triangle finds', () => {
    const bvh = makeTestSet();
    let hits = 0;
    for (let ray = 0; ray < 400; ray++) {
      const random = (k: number): number => 2 * hashUnit(ray * 6 + k) - 1;
      const o = [2 * random(0), 2 * random(1), 2 * random(2)];
      const d = [random(3) - o[0]! * 0.5, random(4) - o[1]! * 0.5, random(5) - o[2]! * 0.5];
      const expected = bruteForce(bvh, o, d);
      const hit: Hit = { t: Number.POSITIVE_INFINITY, triangle: -1, u: 0, v: 0 };
      const found = findClosest(bvh, o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!, hit);
      expect(found).toBe(expected < Number.POSITIVE_INFINITY);
      if (found) {
        hits++;
        expect(hit.t).toBeCloseTo(expected, 6);
      }
      const limit = found ? expected * 1.001 : 10;
      expect(isBlocked(bvh, o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!, limit)).toBe(found);
      if (found) {
        expect(isBlocked(bvh, o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!, expected * 0.999)).toBe(false);
      }
    }
    expect(hits).toBeGreaterThan(50);
  });

  it('keeps each triangle in one leaf and inside the bounds above it', () => {
    const { nodes, bounds, corners, triangleCount } = makeTestSet();
    const seen = new Uint8Array(triangleCount);
    let outside = 0;
    for (let node = 0; node < nodes.length / 2; node++) {
      for (let i = 0; i < nodes[node * 2 + 1]!; i++) {
        const triangle = nodes[node * 2]! + i;
        seen[triangle] = seen[triangle]! + 1;
        for (let k = 0; k < 3; k++) {
          const corner = corners[triangle * 9 + k]!;
          outside += corner < bounds[node * 6 + k]! || corner > bounds[node * 6 + 3 + k]! ? 1 : 0;
        }
      }
    }
    expect(outside).toBe(0);
    expect(seen.every((count) => count === 1)).toBe(true);
  });

  it('misses everything in an empty set', () => {
    const hit: Hit = { t: Number.POSITIVE_INFINITY, triangle: -1, u: 0, v: 0 };
    expect(findClosest(buildBvh([]), 0, 0, 0, 0, 0, -1, hit)).toBe(false);
  });
});
