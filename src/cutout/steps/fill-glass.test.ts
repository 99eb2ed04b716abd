import { expect, it } from 'vitest';
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { fillGlass } from './fill-glass.ts';

const SIDE = 320;
const glass: Box = { x: 60, y: 60, width: 200, height: 220 };
const stalk: Box = { x: 150, y: 30, width: 20, height: 246 };
const leaf: Box = { x: 74, y: 60, width: 172, height: 6 };
const WALL_PX = 4;

const has = (box: Box, i: number): boolean => {
  const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
};

const inner: Box = {
  x: glass.x + WALL_PX,
  y: glass.y,
  width: glass.width - 2 * WALL_PX,
  height: glass.height - WALL_PX,
};
const isWall = (i: number) => has(glass, i) && !has(inner, i);
const isFlower = (i: number) => has(stalk, i) || has(leaf, i);

/** A glass without a lid, and a flower in it. */
function drawPhoto({ wall, flower }: { wall: readonly number[]; flower: readonly number[] }): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    data.set(isFlower(i) ? flower : isWall(i) ? wall : [200, 198, 190], 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

const matte: Matte = {
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => (isWall(i) || isFlower(i) ? 255 : 0)),
};

const pale = [216, 214, 208];
const green = [60, 110, 50];

it('fills a glass of which only the faint rim and the flower are in the matte', async () => {
  const { data } = await fillGlass(matte, drawPhoto({ wall: pale, flower: green }));
  const open = data.findIndex((alpha, i) => alpha < 255 && has(inner, i) && i >= (glass.y + 20) * SIDE);
  expect(open).toBe(-1);
  expect(data.filter((alpha, i) => alpha > 0 && !has(glass, i) && !isFlower(i))).toHaveLength(0);
});

it('keeps an opening open if the wire around it differs in color from the backdrop', async () => {
  expect(await fillGlass(matte, drawPhoto({ wall: [40, 40, 44], flower: green }))).toBe(matte);
});

it('keeps an opening open within a pale wire if the whole product is just as pale', async () => {
  expect(await fillGlass(matte, drawPhoto({ wall: pale, flower: pale }))).toBe(matte);
});
