import { describe, expect, it } from 'vitest';
import { offsetAlong, RAY_OFFSET } from './key-light.ts';

describe('where rays start', () => {
  it('is just off a surface that faces the light, and higher where light grazes its flat triangles', () => {
    expect(offsetAlong(0.9)).toBe(RAY_OFFSET);
    expect(offsetAlong(0.2)).toBeGreaterThan(2 * RAY_OFFSET);
    expect(offsetAlong(0.01)).toBeGreaterThan(offsetAlong(0.2));
  });

  it('is on the side of the light', () => {
    expect(offsetAlong(-0.5)).toBe(-RAY_OFFSET);
    expect(offsetAlong(-0.05)).toBeLessThan(-RAY_OFFSET);
  });
});
