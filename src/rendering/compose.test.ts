import { expect, it } from 'vitest';
import { composeOver, composeOverShadow } from './compose.ts';

const box = { x: 1, y: 0, width: 3, height: 1 };
// One opaque, one half-transparent and one fully transparent pixel.
const subject = { width: 3, height: 1, data: Uint8Array.of(10, 20, 30, 255, 10, 20, 30, 128, 99, 99, 99, 0) };

it('copies opaque pixels, blends soft ones and leaves the backdrop elsewhere', () => {
  const backdrop = { width: 4, height: 1, data: new Uint8Array(12).fill(200) };
  composeOver(backdrop, subject, box);
  const mixed = [10, 20, 30].map((value) => Math.round((value * 128 + 200 * 127) / 255));
  expect([...backdrop.data]).toEqual([200, 200, 200, 10, 20, 30, ...mixed, 200, 200, 200]);
});

it('copies the subject’s visible pixels unchanged to an empty canvas', () => {
  const canvas = { width: 4, height: 1, data: new Uint8Array(16) };
  composeOverShadow(canvas, subject, box);
  expect([...canvas.data]).toEqual([0, 0, 0, 0, 10, 20, 30, 255, 10, 20, 30, 128, 0, 0, 0, 0]);
});

it('darkens a soft pixel by the shadow below it', () => {
  const canvas = { width: 4, height: 1, data: new Uint8Array(16) };
  canvas.data[11] = 255;
  composeOverShadow(canvas, subject, box);
  expect([...canvas.data.subarray(8, 12)]).toEqual([5, 10, 15, 255]);
});
