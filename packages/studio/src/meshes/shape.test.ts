import { describe, expect, it } from 'vitest';
import type { Mesh } from './mesh.ts';
import { makeMesh, type Shape } from './shape.ts';

const solids: readonly Shape[] = [
  { kind: 'cylinder', radius: 0.5, height: 0.3, bevel: 0.03 },
  { kind: 'box', width: 1, height: 0.5, depth: 0.6, bevel: 0.02 },
  { kind: 'sphere', radius: 0.4 },
  { kind: 'stone', radius: 0.4, seed: 2, topY: 0.6 },
  { kind: 'disc', radius: 0.5, depth: 0.1 },
];
const flat = { fromX: -2, toX: 2, fromZ: -2, toZ: 2 };
const all: readonly Shape[] = [
  ...solids,
  { kind: 'arch', width: 1.2, height: 1.6, thickness: 0.2, depth: 0.2 },
  { kind: 'panel', width: 0.6, height: 1, depth: 0.1 },
  { kind: 'pot', radius: 0.3, height: 0.5, flare: 1.2 },
  { kind: 'vase', radius: 0.3, height: 0.8 },
  { kind: 'branch', length: 1, leafWidth: 0.1, seed: 3 },
  { kind: 'olive', length: 1, seed: 3 },
  { kind: 'palm', length: 1.5, seed: 3 },
  { kind: 'monstera', length: 1, seed: 3 },
  { kind: 'pampas', length: 1, seed: 3 },
  { kind: 'petals', count: 5, size: 0.06, spread: 0.3, seed: 1 },
  { kind: 'dune', plot: flat, amplitude: 0.3, seed: 1 },
  { kind: 'drape', plot: flat, amplitude: 0.2, direction: 0.9, flatRadius: 0.5, seed: 2 },
  { kind: 'curtain', fromX: -2, toX: 2, z: -2, height: 3, frequency: 2, amplitude: 0.1, seed: 1 },
  { kind: 'plane', size: 2 },
];

/** Volume by the divergence theorem: a sixth of the sum of the triangles' scalar triple products. */
function volumeOf({ positions, indices }: Mesh): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(indices[i + k]! * 3, indices[i + k]! * 3 + 3));
    sum +=
      a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) -
      a![1]! * (b![0]! * c![2]! - b![2]! * c![0]!) +
      a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!);
  }
  return sum / 6;
}

describe('shapes', () => {
  it('have finite points with unit normals, whatever their kind', () => {
    for (const shape of all) {
      const { positions, normals, indices } = makeMesh(shape);
      expect(indices.length, shape.kind).toBeGreaterThan(0);
      expect(positions.every(Number.isFinite), shape.kind).toBe(true);
      expect(
        indices.every((index) => index < positions.length / 3),
        shape.kind,
      ).toBe(true);
      for (let i = 0; i < normals.length; i += 3) {
        const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
        // A point whose triangles all have no area, such as a duplicated pole, has no normal.
        expect(length === 0 || Math.abs(length - 1) < 1e-4, shape.kind).toBe(true);
      }
    }
  });

  it('are oriented outwards if they are solids, with a volume near that of the ideal body', () => {
    expect(volumeOf(makeMesh(solids[0]!))).toBeCloseTo(Math.PI * 0.25 * 0.3, 1);
    expect(volumeOf(makeMesh(solids[2]!))).toBeCloseTo((4 / 3) * Math.PI * 0.4 ** 3, 2);
    for (const shape of solids) {
      expect(volumeOf(makeMesh(shape)), shape.kind).toBeGreaterThan(0.01);
    }
  });

  it('have normals that point to the front of their triangles', () => {
    for (const shape of solids) {
      const { positions, normals, indices } = makeMesh(shape);
      let wrong = 0;
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [indices[i]! * 3, indices[i + 1]! * 3, indices[i + 2]! * 3];
        const u = [0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!);
        const v = [0, 1, 2].map((k) => positions[c + k]! - positions[a + k]!);
        const n = [
          u[1]! * v[2]! - u[2]! * v[1]!,
          u[2]! * v[0]! - u[0]! * v[2]!,
          u[0]! * v[1]! - u[1]! * v[0]!,
        ];
        const agree = n[0]! * normals[a]! + n[1]! * normals[a + 1]! + n[2]! * normals[a + 2]!;
        wrong += agree < -1e-9 ? 1 : 0;
      }
      expect(wrong, shape.kind).toBe(0);
    }
  });

  it('of flat stones have a top that is level to 0.3 % of the product’s height, where the product stands', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { positions } = makeMesh({ kind: 'stone', radius: 1, seed, topY: 0.55 });
      let low = 9;
      let high = -9;
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = positions.subarray(i, i + 3);
        high = Math.max(high, y!);
        if (y! > 0 && Math.hypot(x!, z!) < 0.6) {
          low = Math.min(low, y!);
        }
      }
      // The radius of a stone pedestal is about 0.29 world units.
      expect((high - low) * 0.29, `stone ${seed}`).toBeLessThan(0.003);
    }
  });

  it('of plants grow upwards from the root to about the requested length, and differ by seed', () => {
    const kinds = ['branch', 'olive', 'palm', 'monstera', 'pampas'] as const;
    for (const kind of kinds) {
      for (let seed = 1; seed < 8; seed++) {
        const shape: Shape =
          kind === 'branch' ? { kind, length: 1, leafWidth: 0.08, seed } : { kind, length: 1, seed };
        const { positions, indices } = makeMesh(shape);
        let top = 0;
        let reach = 0;
        for (let i = 0; i < positions.length; i += 3) {
          top = Math.max(top, positions[i + 1]!);
          reach = Math.max(reach, Math.hypot(positions[i]!, positions[i + 2]!));
          expect(positions[i + 1]!, `${kind} ${seed}`).toBeGreaterThan(-0.15);
        }
        expect(top, `${kind} ${seed}`).toBeGreaterThan(0.6);
        expect(top, `${kind} ${seed}`).toBeLessThan(1.3);
        expect(reach, `${kind} ${seed}`).toBeLessThan(1.2);
        expect(indices.length / 3, `${kind} ${seed}`).toBeLessThan(8000);
      }
    }
    for (const kind of ['olive', 'palm', 'monstera', 'pampas'] as const) {
      const make = (seed: number): Float32Array => makeMesh({ kind, length: 1, seed }).positions;
      expect(make(4), kind).toEqual(make(4));
      expect(make(5), kind).not.toEqual(make(4));
    }
  });

  it('of a curtain have rounded folds with steeper sides than a sine', () => {
    const { positions } = makeMesh({
      kind: 'curtain',
      fromX: -2,
      toX: 2,
      z: 0,
      height: 3,
      frequency: 2,
      amplitude: 0.1,
      seed: 1,
    });
    let steep = 0;
    let count = 0;
    for (let i = 0; i + 3 < 560 * 3; i += 3) {
      const run = positions[i + 3]! - positions[i]!;
      const rise = Math.abs(positions[i + 5]! - positions[i + 2]!);
      steep += run < 0.5 * rise ? rise : 0;
      count += rise;
    }
    // The fraction of the folds' total rise and fall that lies on sides steeper than 63 degrees. For a sine of the same
    // frequency and amplitude, it is 0.
    expect(steep / count).toBeGreaterThan(0.12);
  });

  it('of a dune and of cloth are level below the product', () => {
    for (const kind of ['dune', 'drape'] as const) {
      const { positions } = makeMesh(all.find((shape) => shape.kind === kind)!);
      for (let i = 0; i < positions.length; i += 3) {
        if (Math.hypot(positions[i]!, positions[i + 2]! + 0.25) < 0.4) {
          expect(Math.abs(positions[i + 1]!), kind).toBeLessThan(0.02);
        }
      }
    }
  });
});
