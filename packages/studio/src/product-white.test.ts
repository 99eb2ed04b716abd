import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../pixels/src/pixels.ts';
import { measureWhite } from './product-white.ts';

type Color = readonly [number, number, number];

/** The first `share` of the rows in one color, the others in another. */
function paint(first: Color, share: number, second: Color = [30, 60, 140], alpha = 255): RgbaImage {
  const [width, height] = [40, 50];
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    data.set([...(i < share * width * height ? first : second), alpha], i * 4);
  }
  return { width, height, data };
}

describe('measureWhite', () => {
  it('returns exposure and color cast from white parts', () => {
    const [red, green, blue] = measureWhite(paint([200, 210, 225], 0.5))!;
    expect(green).toBeCloseTo(((210 / 255 + 0.055) / 1.055) ** 2.4, 5);
    expect(red).toBeLessThan(green);
    expect(blue).toBeGreaterThan(green);
  });

  it('measures the lit side of a white product, not the shaded side', () => {
    const [, lit] = measureWhite(paint([240, 240, 240], 0.5, [190, 190, 190]))!;
    expect(lit).toBeGreaterThan(0.8);
  });

  it.each([
    ['a colored product', paint([30, 60, 140], 1)],
    ['a dark product', paint([60, 60, 60], 1)],
    ['a small white label', paint([240, 240, 240], 0.04)],
    ['a pastel', paint([255, 190, 170], 1)],
    ['a picture of translucent pixels only', paint([240, 240, 240], 1, [0, 0, 0], 128)],
    ['an empty picture', paint([240, 240, 240], 1, [0, 0, 0], 0)],
  ])('returns nothing for %s', (_, image) => {
    expect(measureWhite(image)).toBeUndefined();
  });
});
