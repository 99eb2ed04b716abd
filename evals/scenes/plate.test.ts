import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/scenes/seeded-random.ts';
import {
  compareHashes,
  compareMeans,
  describeLikeness,
  findWallColor,
  measureClipping,
  measureClutter,
  measureGrain,
  measureWallSharpness,
} from './plate.ts';
import { makeShot, paint, pasteOver, SIDE_PX } from './sample.ts';

const random = createRandom(7);
/** Approximately normal with standard deviation 1: the sum of twelve uniform numbers. */
const normal = () => Array.from({ length: 12 }, () => random.between(0, 1)).reduce((a, b) => a + b) - 6;

describe('grain', () => {
  it('is the standard deviation of noise added to a gradient', () => {
    const noisy = (sigma: number) =>
      measureGrain(paint((x) => Math.round(60 + x * 0.5 + sigma * normal()))).sigma;
    expect(noisy(2)).toBeGreaterThan(1.6);
    expect(noisy(2)).toBeLessThan(2.3);
    expect(noisy(0.001)).toBeLessThan(0.4);
  });

  it('ignores edges', () => {
    expect(measureGrain(paint((x) => (x % 2 === 0 ? 0 : 200)))).toEqual({ sigma: 0, equal: 0 });
  });

  it('includes the fraction of equal neighbors, which is high in a gradient without dither', () => {
    expect(measureGrain(paint((x) => Math.floor(100 + x / 8))).equal).toBeGreaterThan(0.8);
    expect(measureGrain(paint((x) => Math.round(100 + x / 8 + normal()))).equal).toBeLessThan(0.4);
  });
});

describe('clipping', () => {
  it('counts clipped highlights and shadows', () => {
    const found = measureClipping(paint((x) => (x < 32 ? 255 : x < 48 ? 1 : 128)));
    expect(found).toEqual({ white: 0.25, black: 0.125 });
  });

  it('does not count saturated red as white', () => {
    expect(measureClipping(paint(() => [255, 0, 0]))).toEqual({ white: 0, black: 0 });
  });
});

describe('clutter', () => {
  it('is the mean difference to the next pixel', () => {
    expect(measureClutter(paint((x) => (x % 2) * 10))).toBeCloseTo(5);
    expect(measureClutter(paint(() => 77))).toBe(0);
  });
});

describe('the sharpness of the wall', () => {
  const dots = (contrast: number) =>
    paint((x, y) => 150 + (Math.floor(x / 4) % 2 === Math.floor(y / 4) % 2 ? contrast : 0));

  it('is measured relative to the sharpness of the product', () => {
    const shot = makeShot({ plate: dots(10) });
    const { image, x, y } = shot.product;
    for (let i = 0; i < image.width * image.height; i++) {
      const on = Math.floor((i % image.width) / 4) % 2 === Math.floor(i / image.width / 4) % 2;
      image.data.fill(on ? 160 : 120, i * 4, i * 4 + 3);
    }
    const wall = new Uint8Array(SIDE_PX * SIDE_PX).fill(1, 0, 30 * SIDE_PX);
    const picture = pasteOver(shot.plate, { image, x, y });
    expect(measureWallSharpness({ ...shot, wall, picture })).toBeCloseTo(0.25, 1);
  });

  it('does not apply to a flat lay', () => {
    expect(measureWallSharpness(makeShot({ composition: 'flatlay' }))).toBeUndefined();
  });
});

describe("the wall's color", () => {
  it('is the dominant color, not a mean that includes the props in front of the wall', () => {
    // A navy wall with a golden disc: the mean of the two colors is a grayish olive.
    const plate = paint((x) => (x < 40 ? [212, 168, 60] : [40, 55, 105]));
    const color = findWallColor(makeShot({ plate }))!;
    expect(color.h).toBeGreaterThan(255);
    expect(color.h).toBeLessThan(280);
    expect(color.l).toBeLessThan(0.4);
  });

  it('is measured on the wall only', () => {
    const plate = paint((_, y) => (y < 40 ? [190, 70, 60] : [60, 150, 70]));
    const wall = new Uint8Array(SIDE_PX * SIDE_PX).fill(1, 0, 40 * SIDE_PX);
    expect(findWallColor(makeShot({ plate, wall }))!.h).toBeLessThan(45);
    expect(findWallColor(makeShot({ plate, wall: new Uint8Array(SIDE_PX * SIDE_PX) }))).toBeUndefined();
  });
});

describe('likeness', () => {
  const disc = (cx: number) => paint((x, y) => (Math.hypot(x - cx, y - 64) < 30 ? 60 : 180));

  it('finds nearly equal hashes, but different mean colors, for a plate and its brighter copy', () => {
    const bright = paint((x, y) => (Math.hypot(x - 64, y - 64) < 30 ? 70 : 200));
    expect(compareHashes(describeLikeness(disc(64)), describeLikeness(bright))).toBeLessThan(6);
    expect(compareMeans(describeLikeness(disc(64)), describeLikeness(bright))).toBeGreaterThan(0.03);
  });

  it('decreases if objects move', () => {
    expect(compareHashes(describeLikeness(disc(40)), describeLikeness(disc(90)))).toBeGreaterThan(14);
  });
});
