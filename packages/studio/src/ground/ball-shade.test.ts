import { describe, expect, it } from 'vitest';
import { shadeBall, shadeOfBall } from './ball-shade.ts';

describe('the shade of a ball', () => {
  it('is full at the contact, and fades to nothing within two radii', () => {
    const shades = [0, 0.25, 0.5, 1, 1.5, 2].map((distance) => shadeOfBall(distance ** 2));
    expect(shades[0]).toBe(1);
    expect(shades.at(-1)).toBe(0);
    expect(shades).toEqual(shades.toSorted((a, b) => b - a));
    // One radius away, a real ball hides 0.35 of the light; `shadeOfBall` hides less, because it fades to nothing.
    expect(shades[3]).toBeGreaterThan(0.2);
    expect(shades[3]).toBeLessThan(0.36);
  });

  it('is darkest at the contact, farther back than the lowest point of the outline, and absent for a flat base', () => {
    const size = { width: 201, height: 101 };
    const keptBelow = (roundness: number): Float32Array => {
      const kept = new Float32Array(size.width * size.height).fill(1);
      const ball = { x: 100.5, y: 50, radius: 60, roundness };
      shadeBall(kept, size, { ball, left: 0, top: 0, foreshortening: 0.4 });
      return kept;
    };
    const [round, half, flat] = [1, 0.5, 0].map(keptBelow);
    const at = (kept: Float32Array, column: number, row = 50): number => kept[row * size.width + column]!;
    expect(at(round!, 100)).toBeLessThan(0.25);
    expect(at(round!, 100)).toBeLessThan(at(round!, 130) / 2);
    expect(at(round!, 130)).toBeLessThan(at(round!, 180));
    expect(at(round!, 100, 44)).toBeLessThan(at(round!, 100, 56));
    expect(at(half!, 100)).toBeGreaterThan(at(round!, 100));
    expect(flat!.every((share) => share === 1)).toBe(true);
  });
});
