import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { fillDents } from './fill-dents.ts';

const SIDE = 260;
const MIDDLE = 130;
const RADIUS = 100;
/** Half the width of a seam that runs from the ball's center down to its rim. */
const SEAM = 4;
/** Depth of the dent in the matte where the seam meets the rim. */
const DENT = 2.5;
const BALL = [200, 90, 40];
const BLACK = [8, 5, 4];
const WALL = [210, 210, 205];

const distanceOf = (i: number) => Math.hypot((i % SIDE) - MIDDLE, Math.floor(i / SIDE) - MIDDLE);

const isSeam = (i: number) => Math.abs((i % SIDE) - MIDDLE) <= SEAM && Math.floor(i / SIDE) > MIDDLE;

function drawBall(backdrop: readonly number[], seam: readonly number[]): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    data.set(distanceOf(i) > RADIUS ? backdrop : isSeam(i) ? seam : BALL, 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

/** `sharpness` is the change of alpha, 0 to 1, per pixel across the outline. */
function drawMatte(dent: number, sharpness = 1): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const inside = RADIUS - (isSeam(i) ? dent : 0) - distanceOf(i);
    return Math.round(255 * Math.min(1, Math.max(0, 0.5 + sharpness * inside)));
  });
  return { width: SIDE, height: SIDE, data };
}

const sumOf = ({ data }: Matte) => data.reduce((sum, alpha) => sum + alpha, 0) / 255;

describe('a dent in a smooth outline', () => {
  const dented = drawMatte(DENT);

  it('is filled where the product and the backdrop have the same color', () => {
    const filled = fillDents(dented, drawBall(BLACK, BLACK), 1);
    const whole = sumOf(drawMatte(0));
    expect(whole - sumOf(dented)).toBeGreaterThan(20);
    expect(Math.abs(whole - sumOf(filled))).toBeLessThan(4);
    expect(filled.data.every((alpha, i) => alpha >= dented.data[i]!)).toBe(true);
  });

  it('stays where the photo shows the backdrop in it', () => {
    const photo = drawBall(WALL, BALL);
    for (let i = 0; i < SIDE * SIDE; i++) {
      if (isSeam(i) && distanceOf(i) > RADIUS - DENT) photo.data.set(WALL, 3 * i);
    }
    expect(fillDents(dented, photo, 1)).toBe(dented);
  });

  it('stays if alpha changes gradually across the outline', () => {
    const soft = drawMatte(DENT, 0.04);
    expect(fillDents(soft, drawBall(BLACK, BLACK), 1)).toBe(soft);
  });
});

it('leaves a smooth outline as it is', () => {
  const whole = drawMatte(0);
  expect(fillDents(whole, drawBall(BLACK, BLACK), 1)).toBe(whole);
});
