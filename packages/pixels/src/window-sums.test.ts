import { describe, expect, it } from 'vitest';
import { sumWindows } from './window-sums.ts';

describe('sums over windows', () => {
  it.each([
    [7, 5, 1],
    [7, 5, 3],
    [3, 9, 20],
    [1, 1, 2],
  ])('equal the sum of each window, on %i×%i with radius %i', (width, height, radius) => {
    const values = Float32Array.from({ length: width * height }, (_, i) => (i * 7919) % 13);
    const expected = [...values.keys()].map((i) => {
      let sum = 0;
      for (const [j, value] of values.entries()) {
        const dx = Math.abs((j % width) - (i % width));
        const dy = Math.abs(Math.floor(j / width) - Math.floor(i / width));
        if (dx <= radius && dy <= radius) sum += value;
      }
      return sum;
    });
    expect([...sumWindows({ width, height }, values, radius)]).toEqual(expected);
  });
});
