import { describe, expect, it } from 'vitest';
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { finishGaps } from './finish-gaps.ts';

const SIDE = 200;
const FLOOR = [120, 70, 30];
const WALL = [225, 215, 205];
const PAPER = [250, 250, 250];
const CLOTH = [40, 60, 110];

const product: Box = { x: 40, y: 40, width: 120, height: 120 };
const gap: Box = { x: 75, y: 90, width: 32, height: 20 };
const opened: Box = { x: 80, y: 95, width: 10, height: 10 };

const has = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/** A floor on the left and a wall on the right, which meet behind the gap. */
const room = (x: number): readonly number[] => (x < 95 ? FLOOR : WALL);

/** `color` returns the product's color at a pixel; `null` shows the room. */
function drawPhoto(
  color: (x: number, y: number) => readonly number[] | null,
  behind: (x: number) => readonly number[] = room,
): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = i % SIDE;
    const y = Math.floor(i / SIDE);
    data.set((has(product, x, y) ? color(x, y) : null) ?? behind(x), 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

function drawMatte(...holes: readonly Box[]): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    return has(product, x, y) && !holes.some((hole) => has(hole, x, y)) ? 255 : 0;
  });
  return { width: SIDE, height: SIDE, data };
}

const chair = drawPhoto((x, y) => (has(gap, x, y) ? null : CLOTH));
const finish = (matte: Matte, photo: RgbImage) => finishGaps(matte, photo, new AbortController().signal);

describe('a gap that the engine opened in part', () => {
  it('is opened up to the edges that the photo shows, across an edge in the backdrop', async () => {
    const { data } = await finish(drawMatte(opened), chair);
    const truth = drawMatte(gap).data;
    const wrong = data.filter((alpha, i) => Math.abs(alpha - truth[i]!) > 40).length;
    expect(wrong).toBeLessThanOrEqual(4);
  });

  it('is also opened if the photo is smaller than the matte', async () => {
    const double = (matte: Matte): Matte => {
      const data = new Uint8Array(4 * SIDE * SIDE);
      for (let i = 0; i < data.length; i++)
        data[i] = matte.data[Math.floor(i / (4 * SIDE)) * SIDE + Math.floor((i % (2 * SIDE)) / 2)]!;
      return { width: 2 * SIDE, height: 2 * SIDE, data };
    };
    const { width, data } = await finish(double(drawMatte(opened)), chair);
    expect(width).toBe(SIDE);
    expect(data[100 * SIDE + 103]).toBeLessThan(10);
  });

  it('is not finished if the signal is aborted: the call rejects with the signal’s reason', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(finishGaps(drawMatte(opened), chair, signal)).rejects.toThrow('stop');
  });
});

describe('finishing gaps leaves unchanged', () => {
  const leaves = async (photo: RgbImage, matte: Matte) => expect(await finish(matte, photo)).toBe(matte);

  it('a white logo on a product in front of white paper', async () => {
    const labeled = drawPhoto(
      (x, y) => (has(gap, x, y) ? PAPER : CLOTH),
      () => PAPER,
    );
    await leaves(labeled, drawMatte());
    await leaves(labeled, drawMatte(opened));
  });

  it('a label in several colors of the backdrop, because of its letters', async () => {
    const letter: Box = { x: 94, y: 97, width: 7, height: 7 };
    const labeled = drawPhoto((x, y) => (has(gap, x, y) && !has(letter, x, y) ? null : CLOTH));
    await leaves(labeled, drawMatte(opened));
  });

  it('a hole that ends at edges in the photo, even if the backdrop’s colors continue beyond one of them', async () => {
    await leaves(chair, drawMatte(gap));
    await leaves(chair, drawMatte({ ...gap, width: 95 - gap.x }));
  });

  it('a hole that would grow branches', async () => {
    const [down, across] = [
      { x: 80, y: 75, width: 8, height: 50 },
      { x: 75, y: 96, width: 32, height: 8 },
    ];
    const branched = drawPhoto((x, y) =>
      [opened, down, across].some((box) => has(box, x, y)) ? null : CLOTH,
    );
    await leaves(branched, drawMatte(opened));
  });

  it('a hole that would grow to the outline', async () => {
    const arm: Box = { ...gap, width: 200, height: 8 };
    const notched = drawPhoto((x, y) => (has(gap, x, y) || has(arm, x, y) ? null : CLOTH));
    await leaves(notched, drawMatte(opened));
  });

  it('a hole that would join another', async () => {
    const other: Box = { ...gap, x: 97, width: 10 };
    await leaves(chair, drawMatte(opened, other));
  });

  it('a hole that would take a large part of the product', async () => {
    const front: Box = { x: 60, y: 80, width: 80, height: 40 };
    await leaves(
      drawPhoto((x, y) => (has(front, x, y) ? null : CLOTH)),
      drawMatte(opened),
    );
  });

  it('a hole beside a part that fades into the backdrop', async () => {
    const fading = drawPhoto((x, y) => {
      if (!has({ ...gap, width: 60 }, x, y)) return CLOTH;
      const share = Math.min(1, Math.max(0, (x - 95) / 40));
      return CLOTH.map((to, c) => to * share + room(x)[c]! * (1 - share));
    });
    await leaves(fading, drawMatte(opened));
  });

  it('a mesh', async () => {
    const meshes = Array.from({ length: 9 }, (_, n) => ({ x: 45 + 12 * n, y: 60, width: 8, height: 8 }));
    await leaves(chair, drawMatte(opened, ...meshes));
  });
});
