import { describe, expect, it } from 'vitest';
import { opticalShare } from './optical-size.ts';

const share = (aspect: number, fill: number, staging?: string): number =>
  opticalShare({ aspect, fill, staging }, 1);

describe('opticalShare', () => {
  it('leaves slender products their full size, and makes those smaller that cover their place', () => {
    expect(share(0.3, 0.9)).toBe(1);
    expect(share(1, 1)).toBeLessThan(share(1, 0.6));
    expect(share(1, 1)).toBeGreaterThan(0.7);
  });

  it('evens out areas without making them equal', () => {
    const area = (aspect: number): number => share(aspect, 1) ** 2 * Math.min(aspect, 1 / aspect);
    const before = 1 / 0.3;
    expect(area(1) / area(0.3)).toBeLessThan(0.75 * before);
    expect(area(1)).toBeGreaterThan(area(0.3));
  });

  it('shows small things smaller, but never below 0.4, and measures the place that is there', () => {
    expect(share(1, 0.5, 'small-precious')).toBeCloseTo(0.74 * share(1, 0.5), 1);
    expect(share(1, 1, 'small-precious')).toBeGreaterThan(0.4);
    expect(opticalShare({ aspect: 2, fill: 1, staging: undefined }, 2)).toBe(share(1, 1));
  });
});
