import { describe, expect, it } from 'vitest';
import { makeSilhouette } from './silhouette.ts';
import { findUnderside } from './underside.ts';

/** Roundness of the underside of a shape in the unit square; `u` and `v` are measured from its upper left corner. */
function findRoundness(covers: (u: number, v: number) => boolean): number {
  const data = new Uint8Array(200 * 200 * 4);
  for (let i = 0; i < 200 * 200; i++) {
    data[i * 4 + 3] = covers(((i % 200) + 0.5) / 200, (Math.floor(i / 200) + 0.5) / 200) ? 255 : 0;
  }
  return findUnderside(makeSilhouette({ width: 200, height: 200, data }), 1).roundness;
}

/** The lower end of a cylinder as wide as the box, seen from an elevation: half of an ellipse. */
const cylinder =
  (elevationDeg: number) =>
  (u: number, v: number): boolean =>
    v < 1 - 0.5 * Math.sin((elevationDeg * Math.PI) / 180) * (1 - Math.sqrt(1 - (2 * u - 1) ** 2));

describe('the underside', () => {
  it('is round below a ball, also with a stalk on it', () => {
    expect(findRoundness((u, v) => Math.hypot(u - 0.5, v - 0.5) < 0.5)).toBe(1);
    expect(findRoundness((u, v) => Math.hypot(u - 0.5, v - 0.7) < 0.3 || Math.abs(u - 0.5) < 0.02)).toBe(1);
  });

  it.each([0, 8, 15, 25, 30])('is flat below a cylinder seen from %i degrees', (elevationDeg) => {
    expect(findRoundness(cylinder(elevationDeg))).toBe(0);
  });

  it('is flat below legs, a tapered pot, and a low product seen from above', () => {
    expect(findRoundness((u, v) => v < 0.6 || Math.abs(u - 0.5) > 0.4)).toBe(0);
    expect(findRoundness((u, v) => Math.abs(u - 0.5) < 0.5 - 0.12 * v)).toBe(0);
    expect(findRoundness((u, v) => Math.hypot(u - 0.5, 2 * (v - 0.75)) < 0.5)).toBe(0);
  });

  it('of a picture without a product is flat', () => {
    expect(findRoundness(() => false)).toBe(0);
  });
});
