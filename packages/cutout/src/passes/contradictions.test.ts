import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { findContradictions } from './contradictions.ts';

const SIDE = 256;
const draw = (isSubject: (x: number, y: number) => boolean): Matte => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    isSubject(i % SIDE, Math.floor(i / SIDE)) ? 255 : 0,
  ),
});
const disc = (radius: number) => draw((x, y) => Math.hypot(x - 128, y - 128) < radius);

describe('comparing two passes', () => {
  it('ignores slightly different outlines', () => {
    expect(findContradictions(disc(60), disc(61))).toEqual({ agreement: 1, disputed: [] });
    expect(findContradictions(disc(60), disc(60))).toEqual({ agreement: 1, disputed: [] });
  });

  it('ignores that thin wires are twice as thick in one pass, although the overlap is poor', () => {
    const wires = (px: number) => draw((x, y) => x > 20 && x < 230 && y % 12 < px);
    expect(findContradictions(wires(1), wires(2)).agreement).toBe(1);
  });

  it('finds the part that one of the passes lost', () => {
    const whole = draw((x, y) => x >= 50 && x < 200 && y >= 40 && y < 200);
    const headless = draw((x, y) => x >= 50 && x < 200 && y >= 90 && y < 200);
    const { agreement, disputed } = findContradictions(whole, headless);
    expect(agreement).toBeGreaterThan(0.65);
    expect(agreement).toBeLessThan(0.8);
    expect(disputed.map(({ box }) => box)).toEqual([{ x: 50, y: 40, width: 150, height: 50 }]);
    expect(findContradictions(headless, whole).agreement).toBeCloseTo(agreement);
  });

  it('finds hardly any agreement with an empty matte', () => {
    expect(
      findContradictions(
        disc(60),
        draw(() => false),
      ).agreement,
    ).toBeLessThan(0.2);
  });
});
