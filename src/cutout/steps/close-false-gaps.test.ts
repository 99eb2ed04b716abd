import { describe, expect, it } from 'vitest';
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { closeFalseGaps } from './close-false-gaps.ts';

const SIDE = 200;
const product: Box = { x: 40, y: 40, width: 120, height: 120 };
const hole: Box = { x: 60, y: 60, width: 50, height: 40 };

const has = (box: Box, i: number): boolean => {
  const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
};

/** A dark product on a white wall, with a hole whose color is given. */
function drawPhoto(inHole: readonly number[]): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const color = has(hole, i) ? inHole : has(product, i) ? [40, 44, 60] : [234, 234, 232];
    data.set(color, 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

/** A matte of the product; `veil` is the alpha in the hole. */
function drawMatte(veil = 0): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    has(hole, i) ? veil : has(product, i) ? 255 : 0,
  );
  return { width: SIDE, height: SIDE, data };
}

const whole = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => (has(product, i) ? 255 : 0));

describe('a hole in a matte', () => {
  it('is closed if the photo has a hue there that the backdrop lacks, such as a pale sky on a display', async () => {
    const { data } = await closeFalseGaps(drawMatte(), drawPhoto([223, 214, 212]));
    expect(data).toEqual(whole);
  });

  it('stays open if it shows the backdrop in a shadow', async () => {
    const matte = drawMatte();
    expect(await closeFalseGaps(matte, drawPhoto([150, 150, 149]))).toBe(matte);
  });

  it('is closed if it is large and the engine left it semi-transparent, as in a glass vase', async () => {
    const { data } = await closeFalseGaps(drawMatte(60), drawPhoto([230, 230, 228]));
    expect(data).toEqual(whole);
  });

  it('stays open if the matte leaves no backdrop around the product with which the hole could be compared', async () => {
    const data = drawMatte().data.map((alpha, i) => (has(product, i) ? alpha : 200));
    const matte = { width: SIDE, height: SIDE, data };
    expect(await closeFalseGaps(matte, drawPhoto([223, 214, 212]))).toBe(matte);
  });
});

it('a matte without holes stays as it is', async () => {
  const matte = { width: SIDE, height: SIDE, data: whole };
  expect(await closeFalseGaps(matte, drawPhoto([40, 44, 60]))).toBe(matte);
});
