import { describe, expect, it } from 'vitest';
import type { Matte, RgbaImage, RgbImage } from '../../packages/pixels/src/pixels.ts';
import { compareCutout } from './compare.ts';

const SIDE = 60;
const WHITE = 240;
const BROWN = 60;

/** Alpha of a pale area that fills the right part of a brown picture. The pixels of its left edge are half covered. */
const coverOf = (i: number): number => {
  const x = i % SIDE;
  return x < 20 ? 0 : x === 20 ? 128 : 255;
};

function draw(colorInEdge: number, alphaInEdge: number) {
  const expected: Matte = {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => coverOf(i)),
  };
  const source: RgbImage = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3) };
  const cutout: RgbaImage = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 4) };
  for (let i = 0; i < SIDE * SIDE; i++) {
    const cover = coverOf(i);
    const isEdge = cover === 128;
    source.data.fill(Math.round((cover * WHITE + (255 - cover) * BROWN) / 255), i * 3, i * 3 + 3);
    cutout.data.fill(isEdge ? colorInEdge : WHITE, i * 4, i * 4 + 3);
    cutout.data[i * 4 + 3] = isEdge ? alphaInEdge : cover;
  }
  return compareCutout(cutout, expected, source);
}

describe('the difference on white', () => {
  it('is zero for a cutout with exact alpha and the product’s own color', () => {
    expect(draw(WHITE, 128).compositeP999).toBe(0);
  });

  it('is large if the alpha at the edge is wrong', () => {
    expect(draw(BROWN, 255).compositeP999).toBeGreaterThan(80);
  });

  it('is large if the color at the edge is the backdrop’s', () => {
    expect(draw(BROWN, 128).compositeP999).toBeGreaterThan(40);
  });
});
