import { expect, it } from 'vitest';
import { isWholePng } from './png-integrity.ts';
import { labelPng } from './testing/label-png.ts';

const png = labelPng('cutout');

it('an unchanged file is intact', () => {
  expect(isWholePng(png)).toBe(true);
});

it.each([
  ['nothing', Buffer.of()],
  ['zeros', Buffer.alloc(png.length)],
  ['its first half', png.subarray(0, png.length >> 1)],
  ['all but its last byte', png.subarray(0, -1)],
  ['extra bytes', Buffer.concat([png, Buffer.of(0)])],
])('is not %s', (_, bytes) => {
  expect(isWholePng(bytes)).toBe(false);
});

it('a file with one flipped bit is not, wherever the bit is', () => {
  for (let at = 0; at < png.length; at++) {
    const bytes = Buffer.from(png);
    bytes[at]! ^= 4;
    expect(isWholePng(bytes), `byte ${at}`).toBe(false);
  }
});
