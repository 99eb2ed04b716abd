import { describe, expect, it } from 'vitest';
import { makeFoliageShade, makePalmShade, type Shade } from './gobo-leaves.ts';

const grid = Array.from({ length: 60 * 60 }, (_, i): [number, number] => [
  ((i % 60) / 60 - 0.5) * 3.6,
  (Math.floor(i / 60) / 60 - 0.5) * 3.6,
]);
const meanOf = (shade: Shade): number => grid.reduce((sum, [a, b]) => sum + shade(a, b), 0) / grid.length;

describe('the shade of leaves', () => {
  it('blocks about as much light as the foliage density specifies', () => {
    for (const density of [0.35, 0.5]) {
      for (const leafSize of [0.14, 0.22]) {
        const means = [1, 2, 3, 4].map((seed) => meanOf(makeFoliageShade(leafSize, density, seed)));
        const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
        expect(Math.abs(1 - mean - density), `density ${density}, leaves ${leafSize}`).toBeLessThan(0.12);
      }
    }
  });

  it('covers a limited area for a palm, but tiles seamlessly for foliage', () => {
    const palm = makePalmShade(3, 7);
    expect(palm(9, 0)).toBe(1);
    expect(palm(0, -9)).toBe(1);
    const foliage = makeFoliageShade(0.18, 0.45, 7);
    for (const [a, b] of grid.slice(0, 200)) {
      expect(foliage(a + 3.6, b - 3.6)).toBeCloseTo(foliage(a, b), 5);
    }
  });

  it('of a palm blocks between a tenth and three fifths of the light in the sampled square', () => {
    const palm = makePalmShade(2, 11);
    const mean = meanOf(palm);
    expect(mean).toBeGreaterThan(0.4);
    expect(mean).toBeLessThan(0.9);
  });

  it('has both sharp and soft edges, from leaves at several distances', () => {
    const foliage = makeFoliageShade(0.2, 0.45, 3);
    const steps = grid
      .map(([a, b]) => Math.abs(foliage(a + 0.02, b) - foliage(a, b)))
      .filter((step) => step > 0.02);
    const sharp = steps.filter((step) => step > 0.4).length / steps.length;
    expect(sharp).toBeGreaterThan(0.02);
    expect(sharp).toBeLessThan(0.5);
  });

  it('is determined by its seed, whether it is cached or drawn again', () => {
    const first = makePalmShade(3, 5);
    const sample = (shade: Shade): number[] => grid.slice(0, 400).map(([a, b]) => shade(a + 0.31, b - 0.42));
    expect(makePalmShade(3, 5)).toBe(first);
    expect(sample(makePalmShade(3, 6))).not.toEqual(sample(first));
    // More patterns than the cache holds; palms of a single frond are the fastest to draw.
    for (let seed = 0; seed < 32; seed++) makePalmShade(1, seed);
    const again = makePalmShade(3, 5);
    expect(again).not.toBe(first);
    expect(sample(again)).toEqual(sample(first));
  });
});
