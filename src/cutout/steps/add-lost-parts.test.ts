import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { addLostParts, mayLackParts, preparePartSearch } from './add-lost-parts.ts';

const SIDE = 256;
/** A dark monitor, a dark laptop in front of it, and a cable, on a light background. */
const isMonitor = (x: number, y: number) => x >= 40 && x < 220 && y >= 30 && y < 110;
const isLaptop = (x: number, y: number) => x >= 80 && x < 180 && y >= 140 && y < 200;
const isCable = (x: number, y: number) => x >= 200 && x < 202 && y >= 110 && y < 230;

type Shape = (x: number, y: number) => boolean;
const matteOf = (...shapes: Shape[]): Matte => {
  const data = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < data.length; i++) {
    if (shapes.some((isIn) => isIn(i % SIDE, Math.floor(i / SIDE)))) data[i] = 255;
  }
  return { width: SIDE, height: SIDE, data };
};
const photo = (() => {
  const { data } = matteOf(isMonitor, isLaptop, isCable);
  const colors = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < data.length; i++) colors.fill(data[i] === 255 ? 40 : 220, i * 3, i * 3 + 3);
  return { width: SIDE, height: SIDE, data: colors };
})();

interface Passes {
  readonly coarse: Matte;
  readonly far: Matte;
}

const addParts = async (source: RgbImage, matte: Matte, { coarse, far }: Passes): Promise<Matte> =>
  addLostParts(await preparePartSearch(source, { matte, coarse }), far);

describe('parts that a matte lacks', () => {
  const matte = matteOf(isMonitor);
  const both = matteOf(isMonitor, isLaptop);

  it('are added, up to their edge in the photo, if the coarse and the far pass both include them', async () => {
    expect(mayLackParts(await preparePartSearch(photo, { matte: matte, coarse: both }))).toBe(true);
    const { data } = await addParts(photo, matte, { coarse: both, far: both });
    const wrong = data.filter((alpha, i) => Math.abs(alpha - both.data[i]!) > 100).length;
    expect(wrong).toBeLessThan(40);
    expect(data[170 * SIDE + 130]).toBe(255);
  });

  it('are not added if only one pass includes them', async () => {
    expect(await addParts(photo, matte, { coarse: both, far: matte })).toBe(matte);
    expect(mayLackParts(await preparePartSearch(photo, { matte: matte, coarse: matte }))).toBe(false);
  });

  it('are not added if they are a shadow on the ground below', async () => {
    const isGround: Shape = (x, y) => x >= 80 && x < 180 && y >= 110 && y < 200;
    const withShadow = matteOf(isMonitor, isGround);
    const data = photo.data.slice();
    for (let i = 0; i < SIDE * SIDE; i++) {
      if (isGround(i % SIDE, Math.floor(i / SIDE))) data.fill(12, i * 3, i * 3 + 3);
    }
    const shaded = { ...photo, data };
    expect(mayLackParts(await preparePartSearch(shaded, { matte: matte, coarse: withShadow }))).toBe(false);
    expect(await addParts(shaded, matte, { coarse: withShadow, far: withShadow })).toBe(matte);
  });

  describe('extend', () => {
    const isRight: Shape = (x, y) => isLaptop(x, y) && x >= 150;
    /** Monitor and laptop, with the value `alpha` in the laptop's right part. */
    const fadeRight = (alpha: number): Matte => ({
      ...both,
      data: both.data.map((value, i) => (isRight(i % SIDE, Math.floor(i / SIDE)) ? alpha : value)),
    });
    const at = (x: number, y: number) => y * SIDE + x;

    it('to where one pass is sure and the other sees a trace', async () => {
      const { data } = await addParts(photo, matte, { coarse: fadeRight(60), far: both });
      expect([data[at(165, 170)], data[at(177, 142)]]).toEqual([255, 255]);
    });

    it('not to where one of the passes sees nothing', async () => {
      const { data } = await addParts(photo, matte, { coarse: fadeRight(10), far: both });
      expect([data[at(140, 170)], data[at(165, 170)]]).toEqual([255, 0]);
    });

    it('into a semi-transparent area of the matte, without a seam', async () => {
      const veiled = { ...matte, data: matte.data.slice() };
      for (let y = 140; y < 200; y++) {
        for (let x = 80; x < 180; x++) veiled.data[at(x, y)] = x < 120 ? 0 : 135 + x / 2;
      }
      const { data } = await addParts(photo, veiled, { coarse: both, far: both });
      expect(Math.min(...data.subarray(at(84, 170), at(176, 170)))).toBeGreaterThan(250);
    });

    it('up to narrow openings of the matte, but not into them', async () => {
      const isSlot: Shape = (x, y) => x >= 200 && x < 202 && y >= 40 && y < 100;
      const joined = matteOf(isMonitor, isLaptop, (x, y) => x >= 100 && x < 120 && y >= 100 && y < 150);
      const open = {
        ...matte,
        data: matte.data.map((v, i) => (isSlot(i % SIDE, Math.floor(i / SIDE)) ? 0 : v)),
      };
      const { data } = await addParts(photo, open, { coarse: joined, far: joined });
      expect(data[at(130, 170)]).toBe(255);
      expect(data[at(201, 70)]).toBeLessThan(80);
    });
  });

  it('are not added if they are thin', async () => {
    const withCable = matteOf(isMonitor, isCable);
    expect(await addParts(photo, matte, { coarse: withCable, far: withCable })).toBe(matte);
  });
});

it('parts are kept if only the matte includes them', async () => {
  const matte = matteOf(isMonitor, isLaptop);
  const less = matteOf(isMonitor);
  expect(await addParts(photo, matte, { coarse: less, far: less })).toBe(matte);
});
