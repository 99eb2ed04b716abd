import { describe, expect, it } from 'vitest';
import { makeGrid } from './ground/grid.ts';
import { catchShadow } from './shadow-catcher.ts';

const canvas = { width: 200, height: 200 };
const grid = makeGrid(canvas);

/** A centered block of 50×100 px, with its foot on row 160. */
function cast(azimuthDeg: number | undefined, alpha = 255) {
  const data = new Uint8Array(50 * 100 * 4).fill(alpha);
  const subject = { image: { width: 50, height: 100, data }, x: 75, y: 60 };
  const kept = catchShadow({ canvas, grid, subject, azimuthDeg, elevationDeg: 15 });
  return (x: number, y: number): number => kept[y * grid.width + x]!;
}

const fromLeft = cast(-50);

describe('the shadow catcher', () => {
  it('darkens the ground beside the foot, away from the light', () => {
    expect(fromLeft(130, 154)).toBeLessThan(0.75);
    expect(fromLeft(130, 154)).toBeLessThan(fromLeft(69, 154) - 0.1);
  });

  it('keeps distant ground and everything above the horizon exactly as bright', () => {
    expect(fromLeft(100, 4)).toBe(1);
    expect(fromLeft(3, 4)).toBe(1);
    expect(fromLeft(3, 197)).toBeGreaterThan(0.99);
  });

  it('rotates with the light', () => {
    const fromRight = cast(50);
    expect(fromRight(69, 154)).toBeLessThan(fromRight(130, 154) - 0.1);
  });

  it('is symmetric in ambient light', () => {
    const around = cast(undefined);
    expect(around(100, 162)).toBeLessThan(0.9);
    for (const distance of [4, 12, 30]) {
      expect(Math.abs(around(74 - distance, 154) - around(125 + distance, 154))).toBeLessThan(0.04);
    }
  });

  it('is lighter under a translucent product', () => {
    const glass = cast(-50, 140);
    expect(glass(130, 154)).toBeGreaterThan(fromLeft(130, 154) + 0.05);
    expect(glass(130, 154)).toBeLessThan(1);
  });
});
