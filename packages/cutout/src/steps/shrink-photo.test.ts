import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { cropPhoto, fitInto, shrinkPhoto } from './shrink-photo.ts';

const ramp: RgbImage = {
  width: 60,
  height: 40,
  data: Uint8Array.from({ length: 60 * 40 * 3 }, (_, i) => (Math.floor(i / 3) % 60) * 4),
};

describe('copies of a photo', () => {
  it('contain the requested part', async () => {
    const part = await cropPhoto(ramp, { x: 10, y: 5, width: 3, height: 2 }, 100);
    expect(part).toMatchObject({ width: 3, height: 2 });
    expect([...part.data.subarray(0, 9)]).toEqual([40, 40, 40, 44, 44, 44, 48, 48, 48]);
    expect([...part.data.subarray(9)]).toEqual([...part.data.subarray(0, 9)]);
  });

  it('contain a large part at a smaller size', async () => {
    const part = await cropPhoto(ramp, { x: 20, y: 0, width: 40, height: 40 }, 20);
    expect(part).toMatchObject({ width: 20, height: 20 });
    expect(Math.abs(part.data[10 * 3]! - 162)).toBeLessThanOrEqual(1);
  });

  it('shrink without shifting the picture, and never grow', async () => {
    const half = await shrinkPhoto(ramp, { width: 30, height: 20 });
    expect(half.data[15 * 3]).toBeGreaterThanOrEqual(121);
    expect(half.data[15 * 3]).toBeLessThanOrEqual(123);
    expect(await shrinkPhoto(ramp, { width: 90, height: 90 })).toBe(ramp);
  });
});

describe('fitInto', () => {
  it('keeps the aspect ratio, and limits the longer side to the given length', () => {
    expect(fitInto(ramp, 30)).toEqual({ width: 30, height: 20 });
    expect(fitInto(ramp, 600)).toEqual({ width: 60, height: 40 });
    expect(fitInto({ width: 5000, height: 1 }, 100)).toEqual({ width: 100, height: 1 });
  });
});
