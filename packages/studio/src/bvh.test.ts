import { describe, expect, it } from 'vitest';
import { buildBvh, type Part } from './bvh.ts';
import { moveMesh } from './meshes/mesh.ts';
import { makeSphere } from './meshes/revolve.ts';
import { makeStone } from './meshes/stone.ts';
import { hashUnit } from './noise.ts';
import { aimRay, findClosest, type Hit, isBlocked, makeRay } from './trace-ray.ts';

const rayFrom = (...ray: [number, number, number, number, number, number]) => aimRay(makeRay(), ...ray);

const parts: readonly Part[] = [
  { mesh: moveMesh(makeStone(0.5, 3, undefined), { at: [0.3, 0, 0] }), material: 1 },
  { mesh: moveMesh(makeSphere(0.4), { at: [-0.6, 0.2, -0.3] }), material: 2 },
];

/** Brute force: Moeller-Trumbore intersection with every triangle, without the tree. */
function bruteForce(o: readonly number[], d: readonly number[]): { t: number; material: number } {
  const best = { t: Number.POSITIVE_INFINITY, material: -1 };
  const [ox, oy, oz] = o as [number, number, number];
  const [dx, dy, dz] = d as [number, number, number];
  for (const { mesh, material } of parts) {
    const corner = (i: number, k: number): number => mesh.positions[mesh.indices[i]! * 3 + k]!;
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [cx, cy, cz] = [corner(i, 0), corner(i, 1), corner(i, 2)];
      const [e1x, e1y, e1z] = [corner(i + 1, 0) - cx, corner(i + 1, 1) - cy, corner(i + 1, 2) - cz];
      const [e2x, e2y, e2z] = [corner(i + 2, 0) - cx, corner(i + 2, 1) - cy, corner(i + 2, 2) - cz];
      const [nx, ny, nz] = [e1y * e2z - e1z * e2y, e1z * e2x - e1x * e2z, e1x * e2y - e1y * e2x];
      // Cramer's rule for o + t d = v0 + u e1 + v e2, by triple products.
      const [sx, sy, sz] = [ox - cx, oy - cy, oz - cz];
      const determinant = -(dx * nx + dy * ny + dz * nz);
      const t = (sx * nx + sy * ny + sz * nz) / determinant;
      const [mx, my, mz] = [sy * dz - sz * dy, sz * dx - sx * dz, sx * dy - sy * dx];
      const u = (e2x * mx + e2y * my + e2z * mz) / determinant;
      const v = -(e1x * mx + e1y * my + e1z * mz) / determinant;
      if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best.t) {
        best.t = t;
        best.material = material;
      }
    }
  }
  return best;
}

describe('the tree', () => {
  it('finds the same hits for random rays as a brute-force search', () => {
    const bvh = buildBvh(parts);
    let hits = 0;
    for (let ray = 0; ray < 400; ray++) {
      const random = (k: number): number => 2 * hashUnit(ray * 6 + k) - 1;
      const o = [2 * random(0), 2 * random(1), 2 * random(2)];
      const d = [random(3) - o[0]! * 0.5, random(4) - o[1]! * 0.5, random(5) - o[2]! * 0.5];
      const { t, material } = bruteForce(o, d);
      const hit: Hit = { t: Number.POSITIVE_INFINITY, triangle: -1, u: 0, v: 0 };
      const found = findClosest(bvh, rayFrom(o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!), hit);
      expect(found).toBe(material >= 0);
      const limit = found ? t * 1.001 : 10;
      expect(isBlocked(bvh, rayFrom(o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!), limit)).toBe(found);
      if (found) {
        hits++;
        expect(hit.t).toBeCloseTo(t, 4);
        expect(bvh.materials[hit.triangle]).toBe(material);
        expect(isBlocked(bvh, rayFrom(o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!), t * 0.999)).toBe(false);
      }
    }
    expect(hits).toBeGreaterThan(50);
  });

  it('keeps a given hit if no triangle is nearer', () => {
    const hit: Hit = { t: 0.5, triangle: 77, u: 0.1, v: 0.2 };
    expect(findClosest(buildBvh(parts), rayFrom(0.3, 0, 3, 0, 0, -1), hit)).toBe(false);
    expect(hit).toEqual({ t: 0.5, triangle: 77, u: 0.1, v: 0.2 });
  });

  it('handles a hundred identical triangles, which no plane can separate', () => {
    const [first] = parts;
    const indices = Uint32Array.from({ length: 300 }, (_, i) => first!.mesh.indices[i % 3]!);
    const bvh = buildBvh([{ mesh: { ...first!.mesh, indices }, material: 3 }]);
    const [x, y, z] = [0, 1, 2].map(
      (k) => [0, 1, 2].reduce((sum, i) => sum + first!.mesh.positions[indices[i]! * 3 + k]!, 0) / 3,
    ) as [number, number, number];
    const away = Math.hypot(x - 0.3, y, z);
    const [dx, dy, dz] = [(x - 0.3) / away, y / away, z / away];
    const hit: Hit = { t: Number.POSITIVE_INFINITY, triangle: -1, u: 0, v: 0 };
    expect(findClosest(bvh, rayFrom(x + dx, y + dy, z + dz, -dx, -dy, -dz), hit)).toBe(true);
    expect(hit.t).toBeCloseTo(1, 4);
  });

  it('hits the right set when rays alternate between more trees than fit into the kernel’s memory', () => {
    const trees = Array.from({ length: 7 }, (_, i) =>
      buildBvh([{ mesh: moveMesh(makeSphere(0.2), { at: [i, 0, 0] }), material: i }]),
    );
    for (let ray = 0; ray < 21; ray++) {
      const own = trees[ray % 7]!;
      expect(isBlocked(own, rayFrom(ray % 7, 0, 3, 0, 0, -1))).toBe(true);
      expect(isBlocked(own, rayFrom((ray % 7) + 1, 0, 3, 0, 0, -1))).toBe(false);
    }
  });

  it('hits nothing in an empty set', () => {
    const hit: Hit = { t: Number.POSITIVE_INFINITY, triangle: -1, u: 0, v: 0 };
    expect(findClosest(buildBvh([]), rayFrom(0, 0, 0, 0, 0, -1), hit)).toBe(false);
  });
});
