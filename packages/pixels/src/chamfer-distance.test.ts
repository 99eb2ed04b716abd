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

  it('are measured to the nearest of several targets, and very large without a target', () => {
    expect([...measureDistances({ width: 6, height: 1 }, Uint8Array.of(1, 0, 0, 0, 0, 1))]).toEqual([
      0, 3, 6, 6, 3, 0,
    ]);
    expect(measureDistances({ width: 3, height: 1 }, new Uint8Array(3))[1]).toBeGreaterThan(50_000);
  });

  it.each([1, 7, 8, 9, 23])('count 3 per straight and 4 per diagonal step, in rows of %i pixels', (width) => {
    const height = 12;
    const targets = Uint8Array.from({ length: width * height }, (_, i) => ((i * 7919) % 31 === 3 ? 9 : 0));
    const expected = [...targets.keys()].map((i) => {
      const ways = [...targets.keys()]
        .filter((target) => targets[target] !== 0)
        .map((target) => {
          const across = Math.abs((i % width) - (target % width));
          const down = Math.abs(Math.floor(i / width) - Math.floor(target / width));
          return 3 * Math.max(across, down) + Math.min(across, down);
        });
      return Math.min(60_000, ...ways);
    });
    expect([...measureDistances({ width, height }, targets)]).toEqual(expected);
  });
});
