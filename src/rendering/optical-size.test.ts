import { describe, expect, it } from 'vitest';
import { opticalShare } from './optical-size.ts';

const share = (aspect: number, fill: number, lengthCm = 100): number =>
  opticalShare({ aspect, fill, lengthCm }, 1);

describe('opticalShare', () => {
  it('shows slender products at full size, and bulky products smaller', () => {
    expect(share(0.3, 0.9)).toBe(1);
    expect(share(1, 1)).toBeLessThan(share(1, 0.6));
    expect(share(1, 1)).toBeGreaterThan(0.8);
  });

  it('evens out areas without making them equal', () => {
    const area = (aspect: number): number => share(aspect, 1) ** 2 * Math.min(aspect, 1 / aspect);
    const before = 1 / 0.3;
    expect(area(1) / area(0.3)).toBeLessThan(0.85 * before);
    expect(area(1)).toBeGreaterThan(area(0.3));
  });

  it('sizes products in the order of their real lengths, compresses differences, and keeps a minimum size', () => {
    const sizes = [2.5, 11, 34, 100].map((lengthCm) => share(1.4, 0.4, lengthCm));
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
    expect(new Set(sizes).size).toBe(4);
    // A laptop is three times as long as a mouse, and clearly longer in its picture.
    expect(sizes[2]! / sizes[1]!).toBeGreaterThan(1.2);
    expect(sizes[3]! / sizes[0]!).toBeLessThan(3);
    expect(share(1, 1, 0.5)).toBe(0.36);
    expect(share(1, 0.4, 400)).toBe(share(1, 0.4, 200));
  });

  it('takes the aspect ratio of the area inside the margins into account', () => {
    expect(opticalShare({ aspect: 2, fill: 1, lengthCm: 20 }, 2)).toBe(share(1, 1, 20));
  });
});
