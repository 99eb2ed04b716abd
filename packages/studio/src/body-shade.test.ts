import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../pixels/src/pixels.ts';
import { hideSky, shadeBelowBody } from './body-shade.ts';
import { makeCamera, rowOf } from './camera.ts';
import type { StudioScene } from './studio-scene.ts';

const plate = { fromX: -0.5, toX: 0.5, fromZ: -0.8, toZ: 0, height: 0.2 };

/** Fraction of cosine-distributed directions from a point on the floor that hit the rectangle, counted one by one. */
function countHidden({ fromX, toX, fromZ, toZ, height }: typeof plate, x: number, z: number): number {
  const [rings, sectors] = [400, 400];
  let hits = 0;
  for (let ring = 0; ring < rings; ring++) {
    const sin = Math.sqrt((ring + 0.5) / rings);
    const reach = (height * sin) / Math.sqrt(1 - sin * sin);
    for (let sector = 0; sector < sectors; sector++) {
      const angle = (2 * Math.PI * (sector + 0.5)) / sectors;
      const [hitX, hitZ] = [x + reach * Math.cos(angle), z + reach * Math.sin(angle)];
      if (hitX > fromX && hitX < toX && hitZ > fromZ && hitZ < toZ) hits++;
    }
  }
  return hits / (rings * sectors);
}

describe('the sky hidden by a body', () => {
  it.each([
    ['below its middle', 0, -0.4],
    ['below its front edge', 0, 0],
    ['in front of it', 0.2, 0.3],
    ['beside it', 0.7, -0.3],
    ['below a corner', -0.5, 0],
  ])('is the fraction of directions that hit the body, %s', (_, x, z) => {
    expect(hideSky(plate, x, z)).toBeCloseTo(countHidden(plate, x, z), 2);
  });

  it('is nearly everything close below a wide body, and nothing far away', () => {
    expect(hideSky({ ...plate, height: 0.01 }, 0, -0.4)).toBeGreaterThan(0.99);
    expect(hideSky(plate, 9, 9)).toBeLessThan(0.001);
  });
});

const canvas = { width: 200, height: 200 };
const scene = {
  view: 'standing',
  baseY: 0,
  bodyDepth: 0.7,
  subject: { width: 1, height: 1 },
  camera: { tan: 0.2, elevDeg: 9, fillH: 0.6, fillW: 0.6, baseline: 0.25 },
} as StudioScene;
const camera = makeCamera(scene, canvas);

/** Shades a white floor below a product of 120×120 px, whose lower edge is on the row of the floor at z = 0. */
function shade(
  rectangles: readonly (readonly [x: number, y: number, width: number, height: number])[],
  set = scene,
): { at: (x: number, y: number) => number; foot: number } {
  const data = new Uint8Array(120 * 120 * 4);
  for (const [x, y, width, height] of rectangles)
    for (let row = y; row < y + height; row++)
      data.fill(255, 4 * (row * 120 + x), 4 * (row * 120 + x + width));
  const foot = Math.round(rowOf(camera, 0, 0));
  const picture: RgbImage = { ...canvas, data: new Uint8Array(200 * 200 * 3).fill(255) };
  shadeBelowBody(picture, set, camera, { image: { width: 120, height: 120, data }, x: 40, y: foot - 120 });
  return { at: (x, y) => picture.data[(y * 200 + x) * 3]!, foot };
}

const seat = [0, 0, 120, 96] as const;
const legs = [[6, 96, 6, 24] as const, [108, 96, 6, 24] as const] as const;

describe('the shade below a body on legs', () => {
  it('is dark between the legs, connects the feet, and fades in front of them', () => {
    const { at, foot } = shade([seat, ...legs]);
    const column = [-10, -2, 4, 16, 60].map((below) => at(100, Math.min(199, foot + below)));
    expect(column[0]).toBeLessThan(218);
    expect(column[1]).toBeLessThan(225);
    const fading = column.slice(1);
    expect(fading).toEqual(fading.toSorted((a, b) => a - b));
    expect(column.at(-1)).toBe(255);
    expect(at(50, foot - 4)).toBe(at(149, foot - 4));
  });

  it('lies farther back below a product that has a corner toward the camera', () => {
    const frontal = shade([seat, ...legs]);
    const turned = shade([
      [0, 0, 120, 80],
      [4, 80, 6, 20],
      [57, 80, 6, 40],
      [110, 80, 6, 20],
    ]);
    expect(turned.at(60, turned.foot)).toBeGreaterThan(frontal.at(60, frontal.foot) + 20);
    expect(turned.at(80, turned.foot - 13)).toBeLessThan(225);
  });

  it('is absent if the body stands on the floor, without a body, and without `bodyDepth`', () => {
    const isBare = ({ at, foot }: ReturnType<typeof shade>): boolean =>
      [-6, 0, 6].every((below) => at(100, foot + below) === 255);
    expect(isBare(shade([[0, 0, 120, 120]]))).toBe(true);
    expect(isBare(shade([[50, 0, 20, 120]]))).toBe(true);
    expect(isBare(shade([seat, ...legs], { ...scene, bodyDepth: undefined }))).toBe(true);
  });
});
