import { expect, it } from 'vitest';
import { dropBlurred } from './drop-blurred.ts';
import { toLab } from './lab-photo.ts';

const SIDE = 40;

/**
 * Applies `dropBlurred` to a band of 20 px in which alpha rises from left to right; its gray is `colorOf` that alpha.
 * Returns a mask of the pixels that are kept.
 */
function drawBand(colorOf: (share: number, i: number) => number) {
  const matte = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE) };
  const parts = new Uint8Array(SIDE * SIDE);
  const photo = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3).fill(250) };
  for (let i = 0; i < SIDE * SIDE; i++) {
    const share = ((i % SIDE) - 10) / 20;
    if (share < 0 || share >= 1) continue;
    matte.data[i] = 255 * share;
    parts[i] = 1;
    photo.data.fill(colorOf(share, i), 3 * i, 3 * i + 3);
  }
  dropBlurred(toLab(photo), matte, parts);
  return parts;
}

it('drops a part whose color turns into that of the backdrop as alpha falls', () => {
  expect(drawBand((share, i) => 220 - 180 * share + 12 * ((i * 7) % 3)).includes(1)).toBe(false);
});

it('keeps a part that has the color of the product all over', () => {
  expect(drawBand((_, i) => 50 + 12 * ((i * 7) % 3)).filter((value) => value === 1)).toHaveLength(800);
});
