import { expect, it } from 'vitest';
import { markContour, markOutline } from './outlines.ts';

const rows = (marks: Uint8Array) =>
  Array.from({ length: 4 }, (_, y) => [...marks.subarray(4 * y, 4 * y + 4)]);
const data = Uint8Array.from([0, 0, 0, 0, 0, 200, 200, 127, 0, 200, 128, 0, 0, 255, 255, 0]);
const matte = { width: 4, height: 4, data };

it('marks the subject beside the background as contour, but not along the frame', () => {
  const frame = { width: 4, height: 4, data: new Uint8Array(16).fill(255) };
  expect(rows(markContour(matte))).toEqual([
    [0, 0, 0, 0],
    [0, 1, 1, 0],
    [0, 1, 1, 0],
    [0, 1, 1, 0],
  ]);
  expect(markContour(frame).includes(1)).toBe(false);
});

it('marks one side of each border of the subject as outline', () => {
  expect(rows(markOutline(matte))).toEqual([
    [0, 1, 1, 0],
    [1, 0, 1, 0],
    [1, 0, 1, 0],
    [1, 0, 1, 0],
  ]);
});
