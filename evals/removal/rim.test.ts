import { describe, expect, it } from 'vitest';
import type { Picture } from './metrics.ts';
import { measureRim } from './rim.ts';

const SIDE = 40;

/** A gray square with a ring of half-transparent pixels in the given color. */
function draw(ring: number): Picture {
  const alpha = new Uint8Array(SIDE * SIDE);
  const foreground = new Uint8Array(SIDE * SIDE * 3);
  for (let y = 10; y < 30; y++) {
    for (let x = 10; x < 30; x++) {
      const isRing = x === 10 || x === 29 || y === 10 || y === 29;
      alpha[y * SIDE + x] = isRing ? 128 : 255;
      foreground.fill(isRing ? ring : 120, (y * SIDE + x) * 3, (y * SIDE + x) * 3 + 3);
    }
  }
  return { width: SIDE, height: SIDE, alpha, foreground };
}

describe('the rim', () => {
  it('is clean if it has the subject’s color', () => {
    expect(measureRim(draw(120))).toEqual({ pixels: 76 * 3, outliers: 0 });
  });

  it('has outliers where a black background left a dark line, if product and backdrop are both brighter', () => {
    // On white, half-transparent black has an L* of 53, between white and the subject (50), so it is no outlier there.
    // On green, whose L* is 63, its L* is 32: an outlier. On black, it is black like the backdrop.
    expect(measureRim(draw(0)).outliers).toBe(76);
  });

  it('has outliers on black where white paper left a bright line', () => {
    expect(measureRim(draw(255)).outliers).toBeGreaterThanOrEqual(76);
  });
});
