import { describe, expect, it } from 'vitest';
import { shadeOfBall } from './ball-shade.ts';

describe('the shade of a ball', () => {
  it('is full at the contact, and fades to nothing before twice its radius', () => {
    const shades = [0, 0.25, 0.5, 1, 1.5, 2].map((distance) => shadeOfBall(distance ** 2));
    expect(shades[0]).toBe(1);
    expect(shades.at(-1)).toBe(0);
    expect(shades).toEqual(shades.toSorted((a, b) => b - a));
    // One radius away, the ball hides 0.35 of the light.
    expect(shades[3]).toBeGreaterThan(0.2);
    expect(shades[3]).toBeLessThan(0.36);
  });
});
