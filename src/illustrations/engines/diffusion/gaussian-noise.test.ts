import { describe, expect, it } from 'vitest';
import { makeGaussianNoise } from './gaussian-noise.ts';

describe('the noise', () => {
  it('depends only on the seed', () => {
    expect(makeGaussianNoise(9, 7)).toEqual(makeGaussianNoise(9, 7));
    expect(makeGaussianNoise(9, 8)).not.toEqual(makeGaussianNoise(9, 7));
    expect(makeGaussianNoise(9, 7)).toEqual(makeGaussianNoise(10, 7).subarray(0, 9));
  });

  it('has the moments of a normal distribution, and uncorrelated neighbors', () => {
    const count = 65_536;
    const noise = makeGaussianNoise(count, 1);
    const mean = (power: (value: number, at: number) => number) =>
      noise.reduce((sum, value, at) => sum + power(value, at), 0) / count;
    // Five standard errors. The standard error of the mean is 1 / √count; those of the higher moments are √2, √15 and
    // √96 times as large.
    const error = 5 / Math.sqrt(count);
    expect(Math.abs(mean((value) => value))).toBeLessThan(error);
    expect(Math.abs(mean((value) => value ** 2) - 1)).toBeLessThan(error * Math.SQRT2);
    expect(Math.abs(mean((value) => value ** 3))).toBeLessThan(error * Math.sqrt(15));
    expect(Math.abs(mean((value) => value ** 4) - 3)).toBeLessThan(error * Math.sqrt(96));
    for (const apart of [1, 2, 64]) {
      expect(Math.abs(mean((value, at) => value * noise[(at + apart) % count]!))).toBeLessThan(error);
    }
  });
});
