import { describe, expect, it } from 'vitest';
import type { Box, Matte, RgbaImage } from '../../../packages/pixels/src/pixels.ts';
import { checkPainting } from './check-painting.ts';

const side = 200;

/** A bottle in its bounding box. Its neck is half as wide as its body. */
function drawBottle(width: number, height: number): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inNeck = Math.abs(x - width / 2) < width / 4;
      if (y > height * 0.3 || inNeck) data[4 * (y * width + x) + 3] = 255;
    }
  }
  return { width, height, data };
}

function drawMatte(...boxes: Box[]): Matte {
  const data = new Uint8Array(side * side);
  for (const box of boxes) {
    const bottle = drawBottle(box.width, box.height);
    for (let y = 0; y < box.height; y++) {
      for (let x = 0; x < box.width; x++) {
        const alpha = bottle.data[4 * (y * box.width + x) + 3]!;
        if (alpha > 0) data[(y + box.y) * side + x + box.x] = alpha;
      }
    }
  }
  return { width: side, height: side, data };
}

const box = { x: 60, y: 40, width: 60, height: 120 };
const expected = { x: 0.3, y: 0.2, width: 0.3, height: 0.6 };
const product = drawBottle(90, 180);

describe('a painting', () => {
  it('passes if the product is unchanged and at the expected position', () => {
    const verdict = checkPainting({ matte: drawMatte(box), product, expected, mayMove: false });
    expect(verdict).toMatchObject({ place: expected });
    expect(verdict.overlap).toBeGreaterThan(0.97);
  });

  it('fails if the product has grown by a tenth, moved, or vanished', () => {
    for (const matte of [
      drawMatte({ x: 57, y: 34, width: 66, height: 132 }),
      drawMatte({ ...box, x: 75 }),
      drawMatte(),
    ]) {
      expect(checkPainting({ matte, product, expected, mayMove: false })).toHaveProperty('why');
    }
  });

  it('fails if there is a second product, but not for a speck', () => {
    const second = drawMatte(box, { x: 140, y: 100, width: 30, height: 60 });
    expect(checkPainting({ matte: second, product, expected, mayMove: false })).toMatchObject({
      why: 'there is a second product in it',
    });
    const speck = drawMatte(box, { x: 150, y: 150, width: 4, height: 6 });
    expect(checkPainting({ matte: speck, product, expected, mayMove: false })).toHaveProperty('place');
  });

  it('passes, with the new position, if the engine may move the product, but fails if it stretched the product', () => {
    const moved = drawMatte({ x: 20, y: 50, width: 66, height: 132 });
    const verdict = checkPainting({ matte: moved, product, expected, mayMove: true });
    expect(verdict).toMatchObject({ place: { x: 0.1, y: 0.25, width: 0.33, height: 0.66 } });
    const stretched = drawMatte({ x: 20, y: 50, width: 80, height: 120 });
    expect(checkPainting({ matte: stretched, product, expected, mayMove: true })).toMatchObject({
      why: 'the proportions of the product have changed',
    });
  });
});
