import { describe, expect, it } from 'vitest';
import { interpolateNormal } from './geometry-buffer.ts';

/** A level triangle. */
const faces = Float32Array.of(0, 1, 0);
/** A crest: the normal at the back corner leans away from an eye at +z; those at the front corners lean toward it. */
const crest = Float32Array.of(0, 0.9, 0.44, 0, 0.9, 0.44, 0, 0.9, -0.44);

/** Rim of a stone: all three normals lean away from the eye, which still just sees the triangle's front. */
const rim = Float32Array.of(0, 0.98, -0.2, 0, 0.96, -0.28, 0, 0.9, -0.44);

function normalAt(
  u: number,
  v: number,
  [dx, dy, dz]: readonly [number, number, number],
  normals = crest,
): Float64Array {
  const out = new Float64Array(3);
  interpolateNormal({ normals, faces }, { t: 1, triangle: 0, u, v }, { dx, dy, dz }, out);
  return out;
}

describe('the normal at a ray’s hit', () => {
  it('is interpolated and faces the ray’s origin', () => {
    const [, fromAbove] = normalAt(0.3, 0.3, [0, -1, 0]);
    expect(fromAbove).toBeGreaterThan(0.9);
    const [, fromBelow] = normalAt(0.3, 0.3, [0, 1, 0]);
    expect(fromBelow).toBeLessThan(-0.9);
  });

  it('does not point into the surface where a grazing ray hits a crest', () => {
    const direction = [0, -0.1, -1] as const;
    const [x, y, z] = normalAt(0.05, 0.9, direction);
    expect(y).toBeGreaterThan(0.9);
    expect(x! * direction[0] + y! * direction[1] + z! * direction[2]).toBeLessThan(1e-6);
    expect(Math.hypot(x!, y!, z!)).toBeCloseTo(1, 6);
  });

  it('does not point into the surface on a rim where the normals at all corners lean away from the eye', () => {
    for (const [u, v] of [
      [0.1, 0.1],
      [0.8, 0.1],
      [0.1, 0.8],
    ] as const) {
      const [, y] = normalAt(u, v, [0, -0.1, -1], rim);
      expect(y).toBeGreaterThan(0.9);
    }
  });
});
