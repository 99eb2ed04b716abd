import { describe, expect, it } from 'vitest';
import { measureContrasts } from './photo-contrasts.ts';

/** The contrast at one pixel, computed directly from its definition; pixels outside the photo count as black. */
function measureOne(
  photo: { width: number; height: number; data: Uint8Array },
  at: number,
  radius: number,
): number {
  const x = at % photo.width;
  const y = Math.floor(at / photo.width);
  let variance = 0;
  for (let c = 0; c < 3; c++) {
    const values: number[] = [];
    for (let v = y - radius; v <= y + radius; v++) {
      for (let u = x - radius; u <= x + radius; u++) {
        const isInside = u >= 0 && v >= 0 && u < photo.width && v < photo.height;
        values.push(isInside ? photo.data[3 * (v * photo.width + u) + c]! : 0);
      }
    }
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    variance += values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  }
  return Math.sqrt(variance);
}

describe('contrasts', () => {
  it.each([
    [9, 7, 1],
    [9, 7, 3],
    [3, 8, 5],
    [1, 1, 2],
  ])('are the standard deviation in each window, on %i×%i with radius %i', (width, height, radius) => {
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 256);
    const photo = { width, height, data };
    for (const [i, contrast] of measureContrasts(photo, radius).entries()) {
      expect(contrast).toBeCloseTo(measureOne(photo, i, radius), 3);
    }
  });
});
