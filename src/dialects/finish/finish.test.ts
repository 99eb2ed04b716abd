import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../../packages/pixels/src/pixels.ts';
import { fitSize, resolveRegion, scaleBox } from '../sizes.ts';
import { layOver } from './background.ts';
import { extendColors } from './extend-colors.ts';
import { makeBinary, makeSolid } from './solid-matte.ts';

const paint = (width: number, height: number, at: (x: number, y: number) => number[]): RgbaImage => ({
  width,
  height,
  data: Uint8Array.from(
    Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width))).flat(),
  ),
});
const pixel = ({ width, data }: RgbaImage, x: number, y: number) => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
];

describe('extending colors past the rim', () => {
  it('keeps the color of every pixel that has alpha, and gives all others the nearest colors', () => {
    const picture = paint(33, 21, (x, y) => {
      if (x < 8 && y > 6 && y < 14) return [200, 10, 10, 255];
      if (x > 24 && y > 6 && y < 14) return [10, 10, 200, 90];
      return [0, 0, 0, 0];
    });
    const rgb = extendColors(picture);
    const at = (x: number, y: number) => [...rgb.subarray(3 * (y * 33 + x), 3 * (y * 33 + x) + 3)];
    expect([at(3, 10), at(30, 10)]).toEqual([
      [200, 10, 10],
      [10, 10, 200],
    ]);
    expect(at(0, 0)[0]).toBeGreaterThan(120);
    expect(at(32, 20)[2]).toBeGreaterThan(120);
  });

  it('gives black if there is no color at all', () => {
    expect([...extendColors(paint(3, 2, () => [9, 9, 9, 0]))].every((value) => value === 0)).toBe(true);
  });
});

describe('compositing one picture over another', () => {
  it('gives the upper picture where it is opaque, the lower one where it is transparent, and a mix between', () => {
    const below = paint(4, 1, (x) => (x === 3 ? [0, 0, 0, 0] : [0, 0, 255, 255]));
    const above = paint(4, 1, (x) => [255, 0, 0, [255, 0, 128, 100][x]!]);
    const result = layOver(below, { image: above, x: 0, y: 0 });
    expect(pixel(result, 0, 0)).toEqual([255, 0, 0, 255]);
    expect(pixel(result, 1, 0)).toEqual([0, 0, 255, 255]);
    expect(pixel(result, 2, 0)).toEqual([128, 0, 127, 255]);
    expect(pixel(result, 3, 0)).toEqual([255, 0, 0, 100]);
  });
});

describe('a matte', () => {
  it('that is made solid has no hole inside, and keeps its soft rim', () => {
    const image = paint(40, 40, (x, y) => {
      const edge = Math.min(x, y, 39 - x, 39 - y);
      if (edge < 2) return [1, 1, 1, 0];
      if (edge === 2) return [1, 1, 1, 100];
      return [1, 1, 1, x > 15 && x < 25 ? 60 : 255];
    });
    makeSolid(image);
    expect([pixel(image, 20, 20)[3], pixel(image, 2, 20)[3], pixel(image, 0, 20)[3]]).toEqual([255, 100, 0]);
  });

  it('that is made binary loses specks and partial alpha', () => {
    const image = paint(40, 40, (x, y) => [
      1,
      1,
      1,
      x > 10 && x < 30 && y > 10 && y < 30 ? 200 : x === 3 && y === 3 ? 255 : 0,
    ]);
    makeBinary(image);
    expect([pixel(image, 20, 20)[3], pixel(image, 3, 3)[3]]).toEqual([255, 0]);
    expect(new Set(image.data.filter((_, index) => index % 4 === 3))).toEqual(new Set([0, 255]));
  });
});

describe('result sizes', () => {
  it('never exceed the megapixels of the requested class, or the size of the photo', () => {
    expect(fitSize({ width: 4000, height: 3000 }, 0.25e6)).toEqual({ width: 577, height: 433 });
    expect(fitSize({ width: 400, height: 300 }, 0.25e6)).toEqual({ width: 400, height: 300 });
    for (const [width, height] of [
      [5001, 333],
      [17, 16_000],
      [7919, 6007],
    ] as const) {
      const fitted = fitSize({ width, height }, 0.25e6);
      expect(fitted.width * fitted.height).toBeLessThanOrEqual(0.25e6);
    }
  });
});

describe('a region', () => {
  it('lies inside the picture or is refused, and stays inside when it is scaled', () => {
    const photo = { width: 1000, height: 500 };
    expect(resolveRegion([{ px: 10 }, { px: 0 }, { share: 1 }, { share: 0.5 }], photo, 16)).toEqual({
      x: 10,
      y: 0,
      width: 990,
      height: 250,
    });
    expect(resolveRegion([{ px: 0 }, { px: 0 }, { px: 1001 }, { share: 1 }], photo, 16)).toBe(
      'roi_exceeds_bounds',
    );
    expect(resolveRegion([{ share: 0.5 }, { px: 0 }, { share: 0.5 }, { share: 1 }], photo, 16)).toBe(
      'roi_region_empty',
    );
    const box = scaleBox({ x: 990, y: 490, width: 10, height: 10 }, photo, { width: 33, height: 16 });
    expect([box.x + box.width <= 33, box.y + box.height <= 16, box.width > 0]).toEqual([true, true, true]);
  });
});
