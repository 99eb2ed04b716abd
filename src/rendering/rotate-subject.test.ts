import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../packages/pixels/src/pixels.ts';
import { rotateSubject } from './rotate-subject.ts';

/** Opaque pixels, each of a different color. */
function makePattern(width: number, height: number): RgbaImage {
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++)
    data.set([(i * 37) % 256, (i * 91) % 256, (i * 53) % 256, 255], 4 * i);
  return { width, height, data };
}

function makeDisc(size: number): RgbaImage {
  const data = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const distance = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2);
    const alpha = Math.round(255 * Math.min(1, Math.max(0, size * 0.4 - distance + 0.5)));
    if (alpha > 0) data.set([180, 90, 40, alpha], 4 * i);
  }
  return { width: size, height: size, data };
}

const pixel = ({ width, data }: RgbaImage, x: number, y: number): number[] =>
  Array.from(data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4));

describe('rotateSubject', () => {
  it('maps pixels one to one at right angles', () => {
    const pattern = makePattern(7, 4);
    const quarter = rotateSubject(pattern, 90);
    expect([quarter.width, quarter.height]).toEqual([4, 7]);
    for (let y = 0; y < 4; y++) {
      for (let x = 0; x < 7; x++) expect(pixel(quarter, 3 - y, x)).toEqual(pixel(pattern, x, y));
    }
    expect(rotateSubject(rotateSubject(pattern, -90), 90)).toEqual(pattern);
    expect(rotateSubject(rotateSubject(pattern, 180), -180)).toEqual(pattern);
  });

  it('rotates clockwise', () => {
    const pointer = { width: 21, height: 21, data: new Uint8Array(4 * 21 * 21) };
    for (let y = 0; y <= 10; y++) pointer.data.set([255, 0, 0, 255], 4 * (y * 21 + 10));
    const turned = rotateSubject(pointer, 45);
    // Like a clock hand, the pointer turns to the upper right. The bounding box then holds nothing but the pointer.
    expect(pixel(turned, turned.width - 2, 1)[3]).toBeGreaterThan(60);
    expect(pixel(turned, 1, 1)[3]).toBe(0);
  });

  it('preserves the rim color at any angle', () => {
    fc.assert(
      fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (degrees) => {
        const { data } = rotateSubject(makeDisc(60), degrees);
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3]! < 64) continue;
          expect(Math.abs(data[i]! - 180)).toBeLessThanOrEqual(4);
          expect(Math.abs(data[i + 1]! - 90)).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('preserves the subject’s area and trims empty borders', () => {
    const area = ({ data }: RgbaImage) =>
      data.reduce((sum, value, i) => (i % 4 === 3 ? sum + value : sum), 0);
    const disc = makeDisc(80);
    const turned = rotateSubject(disc, 33);
    expect(area(turned) / area(disc)).toBeCloseTo(1, 2);
    expect(turned.width).toBeLessThanOrEqual(67);
    expect(turned.height).toBeLessThanOrEqual(67);
  });

  it('returns one transparent pixel for an empty subject', () => {
    expect(rotateSubject({ width: 9, height: 5, data: new Uint8Array(180) }, 12)).toEqual({
      width: 1,
      height: 1,
      data: new Uint8Array(4),
    });
  });
});
