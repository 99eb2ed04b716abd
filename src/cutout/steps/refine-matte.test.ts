import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { dropSpecks, fillPinholes, refineMatte } from './refine-matte.ts';

const SIDE = 200;

function drawMatte(alphaAt: (x: number, y: number) => number): Matte {
  return {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => alphaAt(i % SIDE, Math.floor(i / SIDE))),
  };
}

function drawPhoto(colourAt: (x: number, y: number) => readonly [number, number, number]): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) data.set(colourAt(i % SIDE, Math.floor(i / SIDE)), i * 3);
  return { width: SIDE, height: SIDE, data };
}

const isIn = (x: number, y: number, left: number, top: number, size: number): boolean =>
  x >= left && x < left + size && y >= top && y < top + size;
const grey = drawPhoto(() => [128, 128, 128]);
const at = (matte: Matte, x: number, y: number): number => matte.data[y * SIDE + x]!;

describe('specks', () => {
  it('are removed if they are tiny and faint', () => {
    const matte = dropSpecks(
      drawMatte((x, y) => (isIn(x, y, 50, 50, 100) ? 255 : isIn(x, y, 10, 10, 4) ? 90 : 0)),
    );
    expect(at(matte, 11, 11)).toBe(0);
    expect(at(matte, 100, 100)).toBe(255);
  });

  it('are kept if the engine is sure of them: an earring’s stone is part of the product', () => {
    const matte = dropSpecks(
      drawMatte((x, y) => (isIn(x, y, 50, 50, 100) ? 255 : isIn(x, y, 10, 10, 4) ? 250 : 0)),
    );
    expect(at(matte, 11, 11)).toBe(250);
  });

  it('are kept if they are faint but large, such as the second of two drinking glasses', () => {
    const matte = dropSpecks(
      drawMatte((x, y) => (isIn(x, y, 90, 90, 100) ? 255 : isIn(x, y, 10, 10, 30) ? 90 : 0)),
    );
    expect(at(matte, 20, 20)).toBe(90);
  });

  it('are removed without changing the faint outer rim of the product', () => {
    const matte = dropSpecks(
      drawMatte((x, y) => (isIn(x, y, 50, 50, 100) ? 255 : isIn(x, y, 49, 49, 102) ? 8 : 0)),
    );
    expect(at(matte, 49, 100)).toBe(8);
  });
});

describe('pinholes', () => {
  const pierced = drawMatte((x, y) => (isIn(x, y, 100, 100, 2) ? 40 : isIn(x, y, 50, 50, 100) ? 255 : 0));

  it('are closed if the photo has the same color in them as around them', () => {
    expect(at(fillPinholes(pierced, grey), 100, 100)).toBe(255);
  });

  it('stay open if the photo shows something else in them', () => {
    const photo = drawPhoto((x, y) => (isIn(x, y, 100, 100, 2) ? [250, 250, 250] : [90, 40, 40]));
    expect(at(fillPinholes(pierced, photo), 100, 100)).toBe(40);
  });

  it('do not include the opening of a handle: a larger hole stays, whatever its color', () => {
    const mug = drawMatte((x, y) => (isIn(x, y, 100, 100, 8) ? 0 : isIn(x, y, 50, 50, 100) ? 255 : 0));
    expect(at(fillPinholes(mug, grey), 104, 104)).toBe(0);
  });
});

describe('refining a matte', () => {
  const source: RgbImage = { width: 300, height: 150, data: new Uint8Array(300 * 150 * 3).fill(99) };
  const holed = drawMatte((x, y) => (isIn(x, y, 100, 100, 2) ? 0 : isIn(x, y, 50, 50, 100) ? 255 : 0));

  it("closes pinholes even if the photo's size differs from the matte's", () => {
    const matte = refineMatte(holed, source, { hasPinholes: true });
    expect(matte).toMatchObject({ width: SIDE, height: SIDE });
    expect(at(matte, 101, 101)).toBe(255);
    expect(at(matte, 10, 10)).toBe(0);
  });

  it('leaves the small gaps of a mesh open', () => {
    expect(at(refineMatte(holed, source, { hasPinholes: false }), 101, 101)).toBe(0);
  });
});
