import { describe, expect, it } from 'vitest';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';

describe('distances', () => {
  it('are within a tenth of the true ones', () => {
    const size = { width: 41, height: 33 };
    const targets = new Uint8Array(41 * 33);
    targets[16 * 41 + 20] = 1;
    const distances = measureDistances(size, targets);
    for (let i = 0; i < targets.length; i++) {
      const exact = Math.hypot((i % 41) - 20, Math.floor(i / 41) - 16);
      expect(Math.abs(distances[i]! / CHAMFER_STEP - exact)).toBeLessThanOrEqual(exact * 0.1);
    }
  });

  it('are measured to the nearest of several targets, and infinite without a target', () => {
    expect([...measureDistances({ width: 6, height: 1 }, Uint8Array.of(1, 0, 0, 0, 0, 1))]).toEqual([
      0, 3, 6, 6, 3, 0,
    ]);
    expect(measureDistances({ width: 3, height: 1 }, new Uint8Array(3))[1]).toBeGreaterThan(50_000);
  });
});
