import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../../pixels/src/pixels.ts';
import { holdRimColors } from './hold-rim-colors.ts';

const SIDE = 40;
const EDGE = 20;
const PRODUCT = [120, 80, 60] as const;

/**
 * Draws a brown product left of column `EDGE`, a rim of `width` pixels with alpha 128, and grass. Returns a function
 * that reads the color of the cutout in a column after `holdRimColors`.
 */
function draw(rim: {
  readonly photo: readonly number[];
  readonly estimate: readonly number[];
  readonly width: number;
}) {
  const photo = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3) };
  const matte = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE) };
  const cutout: RgbaImage = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 4) };
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = i % SIDE;
    const isRim = x >= EDGE && x < EDGE + rim.width;
    matte.data[i] = x < EDGE ? 255 : isRim ? 128 : 0;
    photo.data.set(x < EDGE ? PRODUCT : isRim ? rim.photo : [40, 160, 30], i * 3);
    cutout.data.set(x < EDGE ? PRODUCT : isRim ? rim.estimate : [0, 0, 0], i * 4);
    cutout.data[i * 4 + 3] = matte.data[i]!;
  }
  holdRimColors(cutout, photo, matte, { box: { x: 0, y: 0, width: SIDE, height: SIDE }, opaque: 250 });
  return (x: number) => [...cutout.data.subarray((20 * SIDE + x) * 4, (20 * SIDE + x) * 4 + 3)];
}

describe('the colors of a rim', () => {
  it('exceed the range between the product’s and the photo’s colors at most by a small margin', () => {
    const colorAt = draw({ photo: [80, 120, 45], estimate: [255, 10, 90], width: 2 });
    expect(colorAt(EDGE)).toEqual([126, 74, 66]);
  });

  it('stay unchanged if they lie between the photo’s and the product’s colors', () => {
    const estimate = [110, 90, 55];
    expect(draw({ photo: [80, 120, 45], estimate, width: 2 })(EDGE)).toEqual(estimate);
  });

  it('remain the photo’s colors in a rim that is brighter than the product', () => {
    const bright = [250, 250, 250];
    expect(draw({ photo: bright, estimate: bright, width: 2 })(EDGE)).toEqual(bright);
  });

  it('are limited, in a wide furry rim, by the product’s colors deeper inside', () => {
    expect(draw({ photo: [80, 120, 45], estimate: [90, 255, 20], width: 14 })(EDGE + 12)).toEqual([
      90, 126, 39,
    ]);
  });

  it('stay unchanged without solid product pixels nearby', () => {
    const estimate = [255, 10, 90];
    expect(draw({ photo: [80, 120, 45], estimate, width: 19 })(EDGE + 18)).toEqual(estimate);
  });
});
