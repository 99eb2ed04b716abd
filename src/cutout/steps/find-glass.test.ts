import { describe, expect, it } from 'vitest';
import type { Matte } from '../../pixels.ts';
import {
  HEIGHT,
  isGlare,
  isLens,
  matteOfSpectacles,
  paint,
  paper,
  photographSpectacles,
  WIDTH,
} from '../testing/spectacles.ts';
import { findGlass, mayHoldGlass } from './find-glass.ts';

/** The matte of a product that covers the pixels where `isProduct` is true. */
function matteOf(isProduct: (x: number, y: number) => boolean): Matte {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < data.length; i++) data[i] = isProduct(i % WIDTH, Math.floor(i / WIDTH)) ? 255 : 0;
  return { width: WIDTH, height: HEIGHT, data };
}
const isBox = (x: number, y: number) => x >= 90 && x < 230 && y >= 30 && y < 170;
const white = [252, 252, 252] as const;

describe('clear glass', () => {
  it('is found in the frame of eyeglasses, including its reflections', () => {
    const glass = findGlass(photographSpectacles(paper), matteOfSpectacles());
    let lens = 0;
    let found = 0;
    let wrong = 0;
    for (let i = 0; i < WIDTH * HEIGHT; i++) {
      const isFound = glass?.mask.data[i] === 255;
      const isClear = isLens(i % WIDTH, Math.floor(i / WIDTH));
      if (isClear) lens++;
      if (isClear && isFound) found++;
      if (!isClear && isFound) wrong++;
      if (isGlare(i % WIDTH, Math.floor(i / WIDTH))) expect(isFound).toBe(true);
    }
    expect(found).toBeGreaterThan(0.95 * lens);
    expect(wrong).toBe(0);
    expect(glass?.box.x).toBeLessThan(65);
    expect(glass!.box.x + glass!.box.width).toBeGreaterThan(255);
  });

  it('is found with one dark object behind it', () => {
    const photo = photographSpectacles(paper, (x, y) =>
      x > 85 && x < 92 && y > 80 && y < 130 ? [20, 20, 30] : paper(x, y),
    );
    expect(findGlass(photo, matteOfSpectacles())).not.toBeNull();
  });
});

describe('a small copy of a photo', () => {
  it('shows whether there may be glass', () => {
    expect(mayHoldGlass(photographSpectacles(paper), matteOfSpectacles())).toBe(true);
    const dark = photographSpectacles(paper, () => [70, 65, 60]);
    expect(mayHoldGlass(dark, matteOfSpectacles())).toBe(false);
    const label = paint((x, y) => {
      if (!isBox(x, y)) return white;
      return x > 110 && x < 210 && y > 70 && y < 130 ? white : [40, 80, 60];
    });
    expect(mayHoldGlass(label, matteOf(isBox))).toBe(false);
  });
});

describe('no glass', () => {
  it('is found in dark lenses, through which nothing is visible', () => {
    const photo = photographSpectacles(paper, () => [70, 65, 60]);
    expect(findGlass(photo, matteOfSpectacles())).toBeNull();
  });

  it('is found in front of black, because black areas prove nothing', () => {
    expect(
      findGlass(
        photographSpectacles(() => [12, 12, 14]),
        matteOfSpectacles(),
      ),
    ).toBeNull();
  });

  it('is found in a white label on a product in front of white', () => {
    const photo = paint((x, y) => {
      if (!isBox(x, y)) return white;
      return x > 110 && x < 210 && y > 70 && y < 130 ? white : [40, 80, 60];
    });
    expect(findGlass(photo, matteOf(isBox))).toBeNull();
  });

  it('is found in a framed print on white', () => {
    const isPrint = (x: number, y: number) => x % 16 < 6 && y % 20 < 9 && y > 60 && y < 140;
    const photo = paint((x, y) => {
      if (!isBox(x, y)) return white;
      const isFrame = !isBox(x - 5, y - 5) || !isBox(x + 5, y + 5);
      return isFrame || isPrint(x, y) ? [30, 30, 30] : white;
    });
    expect(findGlass(photo, matteOf(isBox))).toBeNull();
  });

  it('is found in the bright side of a round white product', () => {
    const photo = paint((x, y) => {
      if (!isBox(x, y)) return white;
      const shade = 252 - 90 * Math.abs((x - 150) / 80) ** 2;
      return [shade, shade, shade];
    });
    expect(findGlass(photo, matteOf(isBox))).toBeNull();
  });

  it('is found in an empty picture, or in one that is all product', () => {
    expect(
      findGlass(
        paint(paper),
        matteOf(() => false),
      ),
    ).toBeNull();
    expect(
      findGlass(
        paint(paper),
        matteOf(() => true),
      ),
    ).toBeNull();
  });
});
