import { describe, expect, it } from 'vitest';
import type { Matte } from '../../pixels.ts';
import { roundOff } from './round-off.ts';

const size = 200;

/** A shape around the center, given by its radius in each direction, with an edge 1.6 px wide. */
function drawShape(radiusAt: (angle: number) => number, hole = 0): Matte {
  const data = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x - 100, y - 100);
      const above = Math.max(distance - radiusAt(Math.atan2(y - 100, x - 100)), hole - distance);
      data[y * size + x] = Math.round(255 * Math.min(1, Math.max(0, 0.5 - above / 1.6)));
    }
  }
  return { width: size, height: size, data };
}

/** Mean and maximum difference in alpha. */
function compare(one: Matte, other: Matte): { readonly mean: number; readonly most: number } {
  const gaps = Array.from(one.data, (alpha, i) => Math.abs(alpha - other.data[i]!));
  return { mean: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length, most: Math.max(...gaps) };
}

const ellipseAt = (angle: number) => (80 * 60) / Math.hypot(60 * Math.cos(angle), 80 * Math.sin(angle));
const dentAt = (angle: number) => -1.2 * Math.exp(-(((angle - 1) / 0.06) ** 2));
const bumpAt = (angle: number) => 1.2 * Math.exp(-(((angle + 2) / 0.06) ** 2));

describe('rounding off', () => {
  it.each([
    ['a circle', () => 80],
    ['an ellipse', ellipseAt],
  ] as const)('smooths a dent and a bump of a pixel in %s', (_, radiusAt) => {
    const whole = drawShape(radiusAt);
    const damaged = drawShape((angle) => radiusAt(angle) + dentAt(angle) + bumpAt(angle));
    const rounded = roundOff(damaged, 1);
    expect(compare(damaged, whole).most).toBeGreaterThan(150);
    expect(compare(rounded, whole).most).toBeLessThan(40);
    expect(compare(rounded, whole).mean).toBeLessThan(0.3);
  });

  it('leaves the hole of a ring alone', () => {
    const ring = drawShape((angle) => 80 + dentAt(angle), 40);
    const rounded = roundOff(ring, 1);
    expect(rounded).not.toBe(ring);
    for (let x = 100; x < 150; x++) expect(rounded.data[100 * size + x]).toBe(ring.data[100 * size + x]);
  });

  it.each([
    ['a fruit that is not quite round', (angle: number) => 80 + 0.8 * Math.cos(3 * angle)],
    ['a hexagonal nut', (angle: number) => 70 / Math.cos((((angle % 1.0472) + 1.0472) % 1.0472) - 0.5236)],
    ['a ball with a deep dent', (angle: number) => 80 + 3 * dentAt(angle)],
    ['a ball too small to be judged', () => 20],
  ] as const)('does not change %s', (_, radiusAt) => {
    const matte = drawShape(radiusAt);
    expect(roundOff(matte, 1)).toBe(matte);
  });
});
