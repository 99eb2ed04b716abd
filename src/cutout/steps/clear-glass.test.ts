import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../pixels.ts';
import {
  HEIGHT,
  isGlare,
  isLens,
  matteOfSpectacles,
  PASSED,
  paper,
  photographSpectacles,
  WIDTH,
} from '../testing/spectacles.ts';
import { clearGlass } from './clear-glass.ts';
import { findGlass } from './find-glass.ts';

const photo = photographSpectacles(paper);
const matte = matteOfSpectacles();

function solidCutout(): RgbaImage {
  const data = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    if (matte.data[i] === 0) continue;
    data.set(photo.data.subarray(i * 3, i * 3 + 3), i * 4);
    data[i * 4 + 3] = 255;
  }
  return { width: WIDTH, height: HEIGHT, data };
}

function clear(): RgbaImage {
  const cutout = solidCutout();
  const window = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  clearGlass(cutout, photo, { glass: findGlass(photo, matte)!, window });
  return cutout;
}

/**
 * Mean absolute sRGB difference between the cutout over `behind` and `expected`, over pixels selected by
 * `counts`.
 */
function compare(
  cutout: RgbaImage,
  behind: (x: number, y: number) => readonly number[],
  expected: (i: number, c: number) => number,
  counts: (x: number, y: number) => boolean,
): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    if (!counts(x, y)) continue;
    const alpha = cutout.data[i * 4 + 3]! / 255;
    for (let c = 0; c < 3; c++) {
      const seen = cutout.data[i * 4 + c]! * alpha + behind(x, y)[c]! * (1 - alpha);
      sum += Math.abs(seen - expected(i, c));
      count++;
    }
  }
  return sum / count;
}

const isClear = (x: number, y: number) => isLens(x, y) && !isGlare(x, y);
const meadow = (x: number) => [40, 90 + x / 4, 60] as const;

describe('clear glass', () => {
  it('looks as in the photo when it is composited over the old backdrop', () => {
    expect(compare(clear(), paper, (i, c) => photo.data[i * 3 + c]!, isLens)).toBeLessThan(3);
  });

  it('shows a new backdrop, darkened like the old one, without the old color', () => {
    const error = compare(clear(), meadow, (i, c) => meadow(i % WIDTH)[c]! * PASSED, isClear);
    expect(error).toBeLessThan(14);
    const solid = compare(solidCutout(), meadow, (i, c) => meadow(i % WIDTH)[c]! * PASSED, isClear);
    expect(error).toBeLessThan(solid / 5);
  });

  it('keeps reflections bright, and stays visible', () => {
    const cutout = clear();
    const glare = (85 * WIDTH + 120) * 4;
    expect(isGlare(120, 85)).toBe(true);
    expect(cutout.data[glare + 3]).toBe(255);
    const middle = (100 * WIDTH + 100) * 4;
    expect(cutout.data[middle + 3]).toBeGreaterThan(0.05 * 255);
    expect(cutout.data[middle + 3]).toBeLessThan(0.3 * 255);
  });

  it('leaves every byte of the eyeglasses’ frame unchanged', () => {
    const [before, after] = [solidCutout(), clear()];
    const changed = after.data.filter((value, at) => {
      const i = at >> 2;
      return value !== before.data[at] && !isLens(i % WIDTH, Math.floor(i / WIDTH));
    });
    expect(changed).toHaveLength(0);
  });
});
