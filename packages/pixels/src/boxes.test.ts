import { describe, expect, it } from 'vitest';
import { boundPixels, findMatteBounds } from './boxes.ts';
import type { Matte } from './pixels.ts';

describe('bounds of a matte', () => {
  const matte: Matte = { width: 8, height: 6, data: new Uint8Array(48) };
  matte.data[1 * 8 + 2] = 128;
  matte.data[4 * 8 + 6] = 255;
  matte.data[5 * 8 + 7] = 127;

  it('are the smallest box around all pixels of sufficient alpha', () => {
    expect(findMatteBounds(matte, 128)).toEqual({ x: 2, y: 1, width: 5, height: 4 });
    expect(findMatteBounds(matte, 1)).toEqual({ x: 2, y: 1, width: 6, height: 5 });
    expect(findMatteBounds(matte, 255)).toEqual({ x: 6, y: 4, width: 1, height: 1 });
  });

  it('are those of the alpha channel in a picture with colors', () => {
    const data = new Uint8Array(4 * 3 * 2).fill(255);
    for (let i = 0; i < 6; i++) data[4 * i + 3] = i === 4 ? 9 : 0;
    expect(findMatteBounds({ width: 3, height: 2, data }, 9)).toEqual({ x: 1, y: 1, width: 1, height: 1 });
  });

  it('can be found for a list of pixels in any order', () => {
    expect(boundPixels([5 * 8 + 3, 2 * 8 + 7, 8], matte)).toEqual({ x: 0, y: 1, width: 8, height: 5 });
    expect(boundPixels(Int32Array.of(19), matte)).toEqual({ x: 3, y: 2, width: 1, height: 1 });
  });

  it('are null for an empty matte', () => {
    expect(findMatteBounds({ ...matte, data: new Uint8Array(48) }, 1)).toBeNull();
  });
});
