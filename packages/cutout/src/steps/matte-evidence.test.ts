import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { measureContourContrast, measureFragments, measureSoftness } from './matte-evidence.ts';

const SIDE = 64;
const draw = (alphaAt: (x: number, y: number) => number): Matte => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => alphaAt(i % SIDE, Math.floor(i / SIDE))),
});
const paint = (greyAt: (x: number, y: number) => number): RgbImage => {
  const { data } = draw(greyAt);
  return {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: data.length * 3 }, (_, i) => data[Math.floor(i / 3)]!),
  };
};
const square = draw((x, y) => (x >= 20 && x < 44 && y >= 20 && y < 44 ? 255 : 0));

describe('softness', () => {
  it('is 0 for a sharp matte, higher for a semi-transparent one, and 1 for a faint or empty one', () => {
    expect(measureSoftness(square)).toBe(0);
    expect(measureSoftness(draw((x) => (x < 10 ? 102 : 0)))).toBe(1);
    expect(measureSoftness(draw((x) => (x < 10 ? 153 : 0)))).toBeCloseTo(102 / 153);
    expect(measureSoftness(draw(() => 0))).toBe(1);
  });
});

describe('fragments', () => {
  it('are the share of the subject that is not in its largest part', async () => {
    expect(await measureFragments(square)).toBe(0);
    const two = draw((x, y) => (y >= 20 && y < 40 && ((x >= 10 && x < 40) || (x >= 50 && x < 60)) ? 255 : 0));
    expect(await measureFragments(two)).toBeCloseTo(0.25, 1);
    expect(await measureFragments(draw(() => 0))).toBe(1);
  });
});

describe('contour contrast', () => {
  it('is high if the photo’s colors change across the contour, and 0 if they do not', () => {
    const onTarget = paint((x, y) => (x >= 20 && x < 44 && y >= 20 && y < 44 ? 30 : 220));
    expect(measureContourContrast(square, onTarget)).toBeGreaterThan(0.5);
    expect(
      measureContourContrast(
        square,
        paint(() => 128),
      ),
    ).toBe(0);
  });

  it('is also measured if the photo’s size differs from the matte’s', () => {
    const large: RgbImage = { width: 192, height: 128, data: new Uint8Array(192 * 128 * 3).fill(220) };
    for (let y = 40; y < 88; y++) large.data.fill(30, (y * 192 + 60) * 3, (y * 192 + 132) * 3);
    expect(measureContourContrast(square, large)).toBeGreaterThan(0.5);
  });
});
