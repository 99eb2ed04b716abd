import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { closeVeils, dropSpecks } from './refine-matte.ts';

const SIDE = 200;

function drawMatte(alphaAt: (x: number, y: number) => number): Matte {
  return {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => alphaAt(i % SIDE, Math.floor(i / SIDE))),
  };
}

const isIn = (x: number, y: number, left: number, top: number, size: number): boolean =>
  x >= left && x < left + size && y >= top && y < top + size;
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

  it('are removed together with haze around the product', () => {
    const matte = dropSpecks(
      drawMatte((x, y) => (isIn(x, y, 50, 50, 100) ? 255 : isIn(x, y, 20, 20, 160) ? 8 : 0)),
    );
    expect(at(matte, 30, 100)).toBe(0);
  });
});

const VEILED = 128;

/** A square of 80 px with a soft rim; `inside` is the alpha of its center. */
function drawSquare(inside: number): Matte {
  const data = Uint8Array.from({ length: VEILED * VEILED }, (_, i) => {
    const depth = Math.min(
      (i % VEILED) - 24,
      103 - (i % VEILED),
      Math.floor(i / VEILED) - 24,
      103 - Math.floor(i / VEILED),
    );
    if (depth < 0) return 0;
    if (depth === 0) return 60;
    if (depth === 1) return 200;
    return depth > 20 ? inside : 255;
  });
  return { width: VEILED, height: VEILED, data };
}

describe('semi-transparent areas (veils)', () => {
  it('are closed deep inside the subject', () => {
    const { data } = closeVeils(drawSquare(180));
    expect(data[64 * VEILED + 64]).toBe(255);
  });

  it('are left unchanged at the soft rim', () => {
    const square = drawSquare(180);
    const { data } = closeVeils(square);
    expect([...data.subarray(64 * VEILED, 64 * VEILED + 27)]).toEqual([
      ...square.data.subarray(64 * VEILED, 64 * VEILED + 27),
    ]);
  });

  it('are left unchanged where alpha is below one half, as in glass and in the hole of a handle', () => {
    const { data } = closeVeils(drawSquare(100));
    expect(data[64 * VEILED + 64]).toBe(100);
  });

  it('are closed on a subject that fills the photo and has no background around it', () => {
    const full: Matte = { width: 20, height: 20, data: new Uint8Array(400).fill(200) };
    expect(Math.min(...closeVeils(full).data)).toBe(255);
  });
});
