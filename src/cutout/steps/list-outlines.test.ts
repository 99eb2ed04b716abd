import { expect, it } from 'vitest';
import type { Matte } from '../../pixels.ts';
import { listOutlines } from './list-outlines.ts';

const SIDE = 64;

function drawDisc(radius: number, hole = 0): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const distance = Math.hypot((i % SIDE) - 32, Math.floor(i / SIDE) - 32);
    const inside = Math.min(radius - distance, hole === 0 ? SIDE : distance - hole);
    return Math.round(255 * Math.min(1, Math.max(0, 0.5 + inside)));
  });
  return { width: SIDE, height: SIDE, data };
}

it('follows the outline within a fifth of a pixel, with a point about every pixel', () => {
  const [outline, ...others] = listOutlines(drawDisc(20), 1, 8);
  expect(others).toEqual([]);
  const { x, y } = outline!;
  for (let i = 0; i < x.length; i++) {
    expect(Math.abs(Math.hypot(x[i]! - 32, y[i]! - 32) - 20)).toBeLessThan(0.2);
  }
  expect(x.length).toBeGreaterThan(2 * Math.PI * 20 * 0.95);
  expect(x.length).toBeLessThan(2 * Math.PI * 20 * 1.15);
});

it('lists the outlines of holes, too, and leaves out short ones', () => {
  expect(listOutlines(drawDisc(20, 6), 1, 8)).toHaveLength(2);
  expect(listOutlines(drawDisc(20, 6), 1, 80)).toHaveLength(1);
});

it('follows the frame where the product is cropped', () => {
  const all = { width: 8, height: 8, data: new Uint8Array(64).fill(255) };
  expect(listOutlines(all, 1, 8)).toHaveLength(1);
});
