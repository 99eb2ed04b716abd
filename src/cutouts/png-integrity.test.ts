import { expect, it } from 'vitest';
import { labelPng } from '../../packages/cutout/src/testing/label-png.ts';
import { isWholePng } from './png-integrity.ts';

const png = labelPng('cutout');

it('an unchanged file is intact', () => {
  expect(isWholePng(png)).toBe(true);
});

it.each([
  ['an empty file', Buffer.of()],
  ['a file of zeros', Buffer.alloc(png.length)],
  ['the first half of a file', png.subarray(0, png.length >> 1)],
  ['a file without its last byte', png.subarray(0, -1)],
  ['a file with extra bytes', Buffer.concat([png, Buffer.of(0)])],
])('%s is not intact', (_, bytes) => {
  expect(isWholePng(bytes)).toBe(false);
});

it('a file with one flipped bit is not intact, wherever the bit is', () => {
  for (let at = 0; at < png.length; at++) {
    const bytes = Buffer.from(png);
    bytes[at]! ^= 4;
    expect(isWholePng(bytes), `byte ${at}`).toBe(false);
  }
});
