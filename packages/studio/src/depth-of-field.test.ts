import { describe, expect, it } from 'vitest';
import { measureBlur } from './depth-of-field.ts';

const camera = { distance: 4, width: 400, height: 300 } as Parameters<typeof measureBlur>[0];

describe('measureBlur', () => {
  it('keeps the product’s own depth sharp, and blurs more with increasing distance in front of it and behind it', () => {
    for (const depth of [3.7, 4, 4.3]) expect(measureBlur(camera, 0.01, depth)).toBe(0);
    for (const depths of [
      [3.6, 3.2, 2.5],
      [4.4, 5, 8],
    ]) {
      const [near, farther, farthest] = depths.map((depth) => measureBlur(camera, 0.01, depth));
      expect(near).toBeGreaterThan(0);
      expect(farther).toBeGreaterThan(near!);
      expect(farthest).toBeGreaterThan(farther!);
    }
  });

  it('never blurs by more than a fiftieth of the picture’s longer side', () => {
    expect(measureBlur(camera, 1, 100)).toBe(8);
    expect(measureBlur(camera, 1, 0.5)).toBe(8);
  });
});
