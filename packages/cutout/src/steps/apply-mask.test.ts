import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { applyMask } from './apply-mask.ts';

const make = (width: number, height: number, valueAt: (x: number, y: number) => number): Matte => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => valueAt(i % width, Math.floor(i / width))),
});
const before = make(80, 60, (x) => (x < 30 ? 251 : 7));

describe('a mask', () => {
  it('makes the matte solid under white and clear under black, and leaves all other bytes unchanged', async () => {
    const mask = make(80, 60, (_, y) => (y < 20 ? 255 : y < 40 ? 128 : 0));
    const { matte, box } = (await applyMask(before, mask))!;
    expect(box).toEqual({ x: 0, y: 0, width: 80, height: 60 });
    for (let i = 0; i < matte.data.length; i++) {
      const y = Math.floor(i / 80);
      expect(matte.data[i]).toBe(y < 20 ? 255 : y < 40 ? before.data[i] : 0);
    }
  });

  it.each([
    ['a smaller', 2],
    ['a larger', 0.5],
  ])('of %s size is scaled, and its edge becomes an edge of the matte', async (_, scale) => {
    const mask = make(80 / scale, 60 / scale, (x) => (x < 20 / scale ? 0 : 255));
    const { matte } = (await applyMask(before, mask))!;
    const row = matte.data.subarray(80 * 30, 80 * 31);
    expect([...row.subarray(0, 17)].every((alpha) => alpha === 0)).toBe(true);
    expect([...row.subarray(23)].every((alpha) => alpha === 255)).toBe(true);
    for (let x = 1; x < 80; x++) expect(row[x]).toBeGreaterThanOrEqual(row[x - 1]!);
  });

  it('makes narrow gray between white and black an edge of the matte, and changes nothing under wide gray', async () => {
    const mask = make(80, 60, (x) => (x < 50 ? 255 : x === 50 ? 128 : x < 60 ? 0 : 128));
    const { matte, box } = (await applyMask(before, mask))!;
    expect(matte.data[50]).toBeGreaterThan(100);
    expect(matte.data[50]).toBeLessThan(155);
    expect(matte.data[70]).toBe(7);
    expect(box.x + box.width).toBe(60);
  });

  it('gives null if it changes nothing', async () => {
    expect(
      await applyMask(
        before,
        make(40, 30, () => 128),
      ),
    ).toBeNull();
    const solid = make(80, 60, () => 255);
    expect(
      await applyMask(
        solid,
        make(8, 6, () => 255),
      ),
    ).toBeNull();
  });
});
