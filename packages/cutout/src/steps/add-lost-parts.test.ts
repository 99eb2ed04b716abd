import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { addLostParts, mayLackParts } from './add-lost-parts.ts';

const SIDE = 256;
/** A monitor, a laptop in front of it, and a cable. */
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
describe('parts that a matte lacks', () => {
  const matte = matteOf(isMonitor);
  const both = matteOf(isMonitor, isLaptop);

  it('are added if the coarse and the far pass both include them', async () => {
    expect(await mayLackParts(matte, both)).toBe(true);
    const { data } = await addLostParts(matte, both, both);
    const wrong = data.filter((alpha, i) => Math.abs(alpha - both.data[i]!) > 100).length;
    expect(wrong).toBeLessThan(40);
    expect(data[170 * SIDE + 130]).toBe(255);
  });

  it('are not added if only one pass includes them', async () => {
    expect(await addLostParts(matte, both, matte)).toBe(matte);
    expect(await mayLackParts(matte, matte)).toBe(false);
  });

  const at = (x: number, y: number) => y * SIDE + x;
  it('extend up to narrow openings of the matte, but not into them', async () => {
    const isSlot: Shape = (x, y) => x >= 200 && x < 202 && y >= 40 && y < 100;
    const joined = matteOf(isMonitor, isLaptop, (x, y) => x >= 100 && x < 120 && y >= 100 && y < 150);
    const open = {
      ...matte,
      data: matte.data.map((v, i) => (isSlot(i % SIDE, Math.floor(i / SIDE)) ? 0 : v)),
    };
    const { data } = await addLostParts(open, joined, joined);
    expect(data[at(130, 170)]).toBe(255);
    expect(data[at(201, 70)]).toBeLessThan(80);
  });

  it('are not added if they are thin', async () => {
    const withCable = matteOf(isMonitor, isCable);
    expect(await addLostParts(matte, withCable, withCable)).toBe(matte);
  });
});

it('parts are kept if only the matte includes them', async () => {
  const matte = matteOf(isMonitor, isLaptop);
  const less = matteOf(isMonitor);
  expect(await addLostParts(matte, less, less)).toBe(matte);
});
