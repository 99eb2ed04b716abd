import { describe, expect, it } from 'vitest';
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { openSeenGaps } from './open-seen-gaps.ts';

const SIDE = 240;
const COARSE = 120;
const WALL = [30, 30, 36];
const CASE = [225, 215, 205];
const FACE = [60, 66, 72];

const product: Box = { x: 60, y: 60, width: 120, height: 120 };
/** The product is a radio: `opening` lies below its handle; `front` is its dark front. */
const opening: Box = { x: 80, y: 76, width: 80, height: 24 };
const front: Box = { x: 80, y: 120, width: 80, height: 40 };

const has = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/** A bright radio with a dark front, in front of a dark wall that becomes brighter from top to bottom. */
function drawPhoto(behind: readonly number[] = WALL): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const wall = behind.map((value) => value + Math.floor(y / 40));
    data.set(!has(product, x, y) || has(opening, x, y) ? wall : has(front, x, y) ? FACE : CASE, 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

function drawMatte(side: number, ...holes: readonly Box[]): Matte {
  const scale = SIDE / side;
  const data = Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) * scale, Math.floor(i / side) * scale];
    if (holes.some((hole) => has(hole, x, y))) return 40;
    return has(product, x, y) ? 255 : 0;
  });
  return { width: side, height: side, data };
}

const closed = drawMatte(SIDE);
const at = ({ data }: Matte, x: number, y: number) => data[y * SIDE + x]!;
const { signal } = new AbortController();

describe('a hole that only the coarse pass sees', () => {
  it('is opened up to the edges around it in the photo, if it shows the backdrop', async () => {
    const matte = await openSeenGaps(closed, drawMatte(COARSE, opening), drawPhoto(), signal);
    expect(at(matte, 120, 88)).toBe(0);
    expect(at(matte, 83, 79)).toBeLessThan(20);
    expect(at(matte, 120, 70)).toBeGreaterThan(235);
    expect(at(matte, 120, 106)).toBeGreaterThan(235);
  });

  it('stays closed if it shows another color', async () => {
    const coarse = drawMatte(COARSE, front);
    expect(await openSeenGaps(closed, coarse, drawPhoto(), signal)).toBe(closed);
  });

  it('stays closed if the photo shows no edge around it', async () => {
    const within = { ...front, x: 100, width: 30, y: 130, height: 20 };
    expect(await openSeenGaps(closed, drawMatte(COARSE, within), drawPhoto(FACE), signal)).toBe(closed);
  });
});

it('does not change a hole that both passes see', async () => {
  const matte = drawMatte(SIDE, opening);
  expect(await openSeenGaps(matte, drawMatte(COARSE, opening), drawPhoto(), signal)).toBe(matte);
});
