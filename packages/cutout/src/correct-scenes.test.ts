/** Corrections of two drawn scenes on which strokes once took too much: a sofa in a room, and a rope's strand. */
import { expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels/src/pixels.ts';
import { createRandom } from '../../pixels/src/seeded-random.ts';
import { StepClock } from '../../pixels/src/step-clock.ts';
import { correctMatte } from './correct-matte.ts';
import type { Point } from './correction.ts';

type Color = readonly [number, number, number];

function paint(width: number, height: number, colorAt: (x: number, y: number) => Color): RgbImage {
  const random = createRandom(7);
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const grain = random.between(-9, 9);
    const color = colorAt(i % width, Math.floor(i / width));
    color.forEach((value, c) => {
      const light = 1 - (0.15 * (i % width)) / width;
      data[i * 3 + c] = Math.max(0, Math.min(255, value * light + grain));
    });
  }
  return { width, height, data };
}

function matteOf(width: number, height: number, is: (x: number, y: number) => boolean): Matte {
  const data = Uint8Array.from({ length: width * height }, (_, i) =>
    is(i % width, Math.floor(i / width)) ? 255 : 0,
  );
  return { width, height, data };
}

/** Shares of the product that is lost, and of what was kept by mistake that is left, after some strokes of `erase`. */
async function erase(
  photo: RgbImage,
  { before, truth }: { readonly before: Matte; readonly truth: Matte },
  strokes: readonly { readonly radius: number; readonly points: readonly Point[] }[],
) {
  const marks = strokes.map((stroke) => ({ ...stroke, mode: 'erase' as const }));
  const correction = { parts: [], strokes: marks, boxes: [], polygons: [] };
  const clock = new StepClock(new AbortController().signal);
  const made = await correctMatte(photo, before, { correction, again: null, mask: null }, clock);
  const sums = { product: 0, lost: 0, excess: 0, left: 0 };
  /** The promise of docs/api.md, and a few pixels for the width of an edge. */
  const isInReach = (x: number, y: number) =>
    strokes.some(({ radius, points }) => {
      const across = (n: 0 | 1) =>
        Math.max(...points.map((point) => point[n])) -
        Math.min(...points.map((point) => point[n])) +
        2 * radius;
      const reach = Math.max(
        1.5 * Math.hypot(across(0), across(1)),
        0.2 * Math.max(photo.width, photo.height),
      );
      return points.some((point) => Math.hypot(x - point[0], y - point[1]) <= reach + 2 * radius);
    });
  for (let i = 0; i < truth.data.length; i++) {
    const alpha = made!.matte.data[i]! / 255;
    if (made!.matte.data[i] !== before.data[i])
      expect(isInReach(i % photo.width, Math.floor(i / photo.width))).toBe(true);
    if (truth.data[i] === 255) {
      sums.product++;
      sums.lost += 1 - alpha;
    } else if (before.data[i] === 255) {
      sums.excess++;
      sums.left += alpha;
    }
  }
  return { lost: sums.lost / sums.product, left: sums.left / sums.excess };
}

const within = (x: number, y: number, left: number, top: number, right: number, bottom: number): boolean =>
  x >= left && x < right && y >= top && y < bottom;

it('erases an ottoman and a rug that were kept with a sofa of the same cloth, and nothing of the sofa', async () => {
  const [width, height] = [800, 540];
  const isOttoman = (x: number, y: number) => within(x, y, 90, 340, 300, 440);
  const isSofa = (x: number, y: number) =>
    !isOttoman(x, y) &&
    (within(x, y, 180, 190, 690, 300) ||
      within(x, y, 140, 240, 210, 400) ||
      within(x, y, 660, 240, 730, 400) ||
      within(x, y, 200, 290, 670, 400));
  const isRug = (x: number, y: number) => {
    const slant = (500 - y) * 0.4;
    return within(x, y, 60 + slant, 395, 640 - slant, 500);
  };
  const colorAt = (x: number, y: number): Color => {
    if (isOttoman(x, y)) return y < 380 ? [176, 160, 140] : [150, 134, 116];
    if (isSofa(x, y)) return y < 295 ? [168, 158, 146] : y < 330 ? [184, 174, 160] : [150, 141, 130];
    const isDark = (Math.floor(x / 24) + Math.floor(y / 12)) % 2 === 0;
    if (isRug(x, y)) return isDark ? [172, 150, 128] : [196, 184, 168];
    return y < 380 ? [214, 210, 202] : [140, 104, 72];
  };
  const truth = matteOf(width, height, isSofa);
  const before = matteOf(width, height, (x, y) => isSofa(x, y) || isOttoman(x, y) || isRug(x, y));
  const ottoman: Point[] = [
    [120, 400],
    [200, 410],
    [270, 390],
  ];
  const rug: Point[] = [
    [380, 450],
    [560, 460],
  ];
  const { lost, left } = await erase(paint(width, height, colorAt), { before, truth }, [
    { radius: 14, points: ottoman },
    { radius: 14, points: rug },
  ]);
  expect(lost).toBeLessThan(0.02);
  expect(left).toBeLessThan(0.6);
});

it('erases the cloth in the loops of a rope, and does not tear its strand', async () => {
  const [width, height] = [1600, 1200];
  const isRope = new Uint8Array(width * height);
  // A strand of 6 px that crosses itself twice.
  for (let n = 0; n <= 9000; n++) {
    const turn = (n / 9000) * 6 * Math.PI;
    const x = 200 + (1200 * n) / 9000 + 150 * Math.cos(turn);
    const y = 600 + 260 * Math.sin(turn);
    for (let v = -3; v <= 3; v++)
      for (let u = -3; u <= 3; u++)
        if (u * u + v * v <= 9) isRope[Math.round(y + v) * width + Math.round(x + u)] = 1;
  }
  const isAt = (x: number, y: number) => isRope[y * width + x] === 1;
  const isInLoop = new Uint8Array(width * height);
  const open = [690 * width + 700, 690 * width + 1100];
  for (const i of open) {
    if (isInLoop[i] === 1 || isRope[i] === 1) continue;
    isInLoop[i] = 1;
    open.push(i - 1, i + 1, i - width, i + width);
  }
  const photo = paint(width, height, (x, y) => {
    if (isAt(x, y)) return (x + 2 * y) % 12 < 4 ? [96, 70, 130] : [206, 190, 214];
    return [126 + 10 * Math.sin(x / 90), 98, 158 + 8 * Math.cos(y / 70)];
  });
  const truth = matteOf(width, height, isAt);
  const before = matteOf(width, height, (x, y) => isAt(x, y) || isInLoop[y * width + x] === 1);
  const { lost, left } = await erase(
    photo,
    { before, truth },
    [700, 1100].map((x) => ({
      radius: 8,
      points: [
        [x, 660],
        [x - 10, 740],
      ],
    })),
  );
  expect(lost).toBeLessThan(0.1);
  expect(left).toBeLessThan(0.05);
});
