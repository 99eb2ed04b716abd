import { expect, it } from 'vitest';
import { shrinkEdge } from './shrink-edge.ts';

/** A gray disc with a soft rim of about one pixel. */
function disc(radius: number) {
  const size = 64;
  const data = new Uint8Array(size * size * 4);
  for (let i = 0; i < size * size; i++) {
    const distance = Math.hypot((i % size) - 31.5, Math.floor(i / size) - 31.5);
    const alpha = Math.round(255 * Math.min(1, Math.max(0, radius - distance + 0.5)));
    data.set(alpha > 0 ? [120, 120, 120, alpha] : [0, 0, 0, 0], 4 * i);
  }
  return { width: size, height: size, data };
}

const area = ({ data }: { data: Uint8Array }): number =>
  data.reduce((sum, value, i) => (i % 4 === 3 ? sum + value / 255 : sum), 0);

it.each([0.5, 1, 1.7, 3, 4])('erodes the outline of a disc by %d px', (radiusPx) => {
  const radius = Math.sqrt(area(shrinkEdge(disc(24), radiusPx)) / Math.PI);
  expect(Math.abs(24 - radius - radiusPx)).toBeLessThan(0.35);
});

it('keeps the colors and the softness of the edge', () => {
  const { data } = shrinkEdge(disc(24), 2);
  const alphas = Array.from({ length: 64 }, (_, x) => data[4 * (32 * 64 + x) + 3]!);
  expect(alphas.some((alpha) => alpha > 0 && alpha < 255)).toBe(true);
  for (let i = 0; i < data.length; i += 4) {
    expect(data[i]).toBe(data[i + 3] === 0 ? 0 : 120);
  }
});

it('does not erode a side where the photo crops the subject', () => {
  const full = { width: 8, height: 8, data: new Uint8Array(256).fill(255) };
  expect(shrinkEdge(full, 3, ['top', 'right', 'bottom', 'left']).data).toEqual(full.data);
});

it('erodes a box that fills its picture, except at a cropped side', () => {
  const full = { width: 20, height: 10, data: new Uint8Array(800).fill(255) };
  expect(area(shrinkEdge(full, 2))).toBe(16 * 6);
  expect(area(shrinkEdge(full, 2, ['bottom']))).toBe(16 * 8);
});
