import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { sharpenEdges } from './sharpen-edges.ts';

const WIDTH = 80;
const HEIGHT = 60;
type Color = readonly [number, number, number];

/** The product covers everything left of the column `edge`, which may be fractional. */
const coverOf = (i: number, edge: number) => Math.min(1, Math.max(0, edge - (i % WIDTH)));

function photograph(edge: number, product: Color, backdrop: Color): RgbImage {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const cover = coverOf(i, edge);
    for (let c = 0; c < 3; c++)
      data[i * 3 + c] = Math.round(product[c]! * cover + backdrop[c]! * (1 - cover));
  }
  return { width: WIDTH, height: HEIGHT, data };
}

/** A vertical edge that is `soft` pixels wide and wavers by up to one pixel to either side of the column `edge`. */
function drawMatte(edge: number, soft: number): Matte {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const off = edge + Math.sin(Math.floor(i / WIDTH) / 3) - (i % WIDTH) - 0.5;
    return Math.round(255 * Math.min(1, Math.max(0, 0.5 + off / soft)));
  });
  return { width: WIDTH, height: HEIGHT, data };
}

function errorOf({ data }: Matte, edge: number): number {
  return data.reduce((sum, alpha, i) => sum + Math.abs(alpha / 255 - coverOf(i, edge)), 0) / HEIGHT;
}

const blue: Color = [40, 60, 150];
const sand: Color = [200, 180, 150];

describe('hard edges', () => {
  it('move to the edges visible in the photo', () => {
    const soft = drawMatte(40.5, 4);
    const sharp = sharpenEdges(soft, photograph(40.5, blue, sand), 2);
    expect(errorOf(sharp, 40.5)).toBeLessThan(0.6 * errorOf(soft, 40.5));
  });

  it('lose semi-transparent pixels of pure backdrop, but keep almost solid ones', () => {
    const matte = drawMatte(40, 1);
    for (let y = 0; y < HEIGHT; y++) {
      matte.data[y * WIDTH + 40] = 120;
      matte.data[y * WIDTH + 39] = 180;
    }
    const after = sharpenEdges(matte, photograph(40, blue, sand), 2).data;
    const row = after.subarray(30 * WIDTH, 31 * WIDTH);
    expect(row[40]).toBeLessThan(60);
    // An almost solid pixel is not removed: it may be a part of the product in the backdrop's color.
    for (let y = 0; y < HEIGHT; y++) matte.data[y * WIDTH + 40] = 240;
    const moved = sharpenEdges(matte, photograph(40, blue, sand), 2).data.subarray(30 * WIDTH, 31 * WIDTH);
    expect(moved[40]).toBe(240);
  });

  it('stay unchanged where product and backdrop have the same color', () => {
    const soft = drawMatte(40.5, 4);
    expect(sharpenEdges(soft, photograph(40.5, sand, sand), 2).data).toEqual(soft.data);
  });

  it('stay unchanged where the rim has its own color', () => {
    const soft = drawMatte(40, 3);
    const photo = photograph(40, blue, sand);
    for (let i = 0; i < WIDTH * HEIGHT; i++) {
      if (Math.abs((i % WIDTH) - 40) <= 3) photo.data.set([30, 200, 30], i * 3);
    }
    expect(sharpenEdges(soft, photo, 2).data).toEqual(soft.data);
  });

  it('change no pixel that is only product or only backdrop', () => {
    const soft = drawMatte(40.5, 4);
    const sharp = sharpenEdges(soft, photograph(43, blue, sand), 2);
    const changed = sharp.data.filter(
      (alpha, i) => alpha !== soft.data[i] && (soft.data[i]! <= 8 || soft.data[i]! >= 247),
    );
    expect(changed).toHaveLength(0);
  });

  it('move to the edges visible in the photo, however much the matte was enlarged', () => {
    const soft = drawMatte(40.5, 12);
    const sharp = sharpenEdges(soft, photograph(40.5, blue, sand), 6);
    expect(errorOf(sharp, 40.5)).toBeLessThan(0.7 * errorOf(soft, 40.5));
  });
});
