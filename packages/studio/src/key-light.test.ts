import { describe, expect, it } from 'vitest';
import { offsetAlong, RAY_OFFSET } from './key-light.ts';

describe('the ray offset', () => {
  it('is minimal for a surface facing the light, and larger at grazing angles', () => {
    expect(offsetAlong(0.9)).toBe(RAY_OFFSET);
    expect(offsetAlong(0.2)).toBeGreaterThan(2 * RAY_OFFSET);
    expect(offsetAlong(0.01)).toBeGreaterThan(offsetAlong(0.2));
  });

  it('is on the side of the surface that faces the light', () => {
    expect(offsetAlong(-0.5)).toBe(-RAY_OFFSET);
    expect(offsetAlong(-0.05)).toBeLessThan(-RAY_OFFSET);
  });
});
