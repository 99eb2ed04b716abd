import { describe, expect, it } from 'vitest';
import { parseHexColor } from '../../../packages/pixels/src/srgb.ts';
import { palette } from '../../recipes/solid-colors.ts';
import { decodeYCbCr, findExactYCbCr, findSlack } from './exact-color.ts';

describe('findExactYCbCr', () => {
  it.each(palette)('$number $name ($color) survives JPEG unchanged', ({ color }) => {
    const rgb = parseHexColor(color);
    expect(decodeYCbCr(findExactYCbCr(rgb))).toEqual(rgb);
  });

  it('finds a value within one level of a color that JPEG cannot represent', () => {
    const color = [12, 200, 77] as const;
    const decoded = decodeYCbCr(findExactYCbCr(color));
    expect(Math.max(...decoded.map((value, i) => Math.abs(value - color[i]!)))).toBeLessThanOrEqual(1);
  });
});

describe('findSlack', () => {
  it('lets the luma of white exceed 255 without limit, but fixes its Cr', () => {
    const [y, , cr] = findSlack([255, 128, 128]);
    expect(y).toEqual({ low: 255, high: Number.POSITIVE_INFINITY });
    expect(cr).toEqual({ low: 128, high: 128 });
  });

  it('never allows a value that decodes to another color', () => {
    for (const { color } of palette) {
      const exact = findExactYCbCr(parseHexColor(color));
      for (const [plane, { low, high }] of findSlack(exact).entries()) {
        for (const value of [Math.max(0, low), Math.min(255, high)]) {
          const moved = [...exact] as [number, number, number];
          moved[plane] = value;
          expect(decodeYCbCr(moved), color).toEqual(decodeYCbCr(exact));
        }
      }
    }
  });
});
