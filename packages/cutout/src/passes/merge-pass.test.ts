import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { mergePass } from './merge-pass.ts';

const size = { width: 200, height: 160 };
const make = ({ width, height }: typeof size, valueAt: (x: number, y: number) => number): Matte => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => valueAt(i % width, Math.floor(i / width))),
});
/** The matte has only the left part of a product that is 140 px wide; the pass shows all of it that is in the crop. */
const before = make(size, (x, y) => (x >= 20 && x < 90 && y >= 40 && y < 120 ? 255 : 0));
const crop = { x: 60, y: 20, width: 140, height: 120 };
const box = { x: 80, y: 30, width: 100, height: 100 };
const pass = make({ width: 70, height: 60 }, (x, y) => (x < 50 && y >= 10 && y < 50 ? 255 : 0));

describe('a closer pass', () => {
  it('restores parts inside the box, and changes no byte outside', async () => {
    const { matte, box: changed } = (await mergePass({ before, pass, crop, box }))!;
    expect(changed.x).toBeGreaterThanOrEqual(box.x);
    expect(changed.x + changed.width).toBeLessThanOrEqual(box.x + box.width);
    for (let i = 0; i < matte.data.length; i++) {
      const [x, y] = [i % size.width, Math.floor(i / size.width)];
      const isInside = x >= 80 && x < 180 && y >= 30 && y < 130;
      if (!isInside) expect(matte.data[i]).toBe(before.data[i]);
    }
    const at = (x: number, y: number) => matte.data[y * size.width + x];
    expect([at(120, 80), at(150, 80), at(168, 80), at(120, 126)]).toEqual([255, 255, 0, 0]);
  });

  it('gives null if it changes nothing', async () => {
    const same = make({ width: 140, height: 120 }, (x, y) => before.data[(y + 20) * size.width + x + 60]!);
    expect(await mergePass({ before, pass: same, crop, box })).toBeNull();
  });
});
