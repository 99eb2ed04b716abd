import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { enlargeMatte, resampleRegion } from './enlarge-matte.ts';

/** A soft bump at the exact center; its centroid reveals any shift. */
function drawBump(width: number, height: number): Matte {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = (x + 0.5) / width - 0.5;
      const v = (y + 0.5) / height - 0.5;
      data[y * width + x] = Math.round(255 * Math.exp(-(u * u + v * v) / 0.02));
    }
  }
  return { width, height, data };
}

function findCentroid({ width, height, data }: Matte): { x: number; y: number } {
  let mass = 0;
  let x = 0;
  let y = 0;
  for (const [i, alpha] of data.entries()) {
    mass += alpha;
    x += alpha * ((i % width) + 0.5 - width / 2);
    y += alpha * (Math.floor(i / width) + 0.5 - height / 2);
  }
  return { x: x / mass, y: y / mass };
}

describe('scaling a matte to the source’s resolution', () => {
  it.each([
    [150, 210],
    [64, 65],
    [200, 32],
    [33, 20],
  ])('shifts nothing by more than a twentieth of a pixel, from 64×64 to %i×%i', async (width, height) => {
    const matte = await enlargeMatte(drawBump(64, 64), { width, height });
    expect(matte.data.length).toBe(width * height);
    const { x, y } = findCentroid(matte);
    expect(Math.abs(x)).toBeLessThan(0.05);
    expect(Math.abs(y)).toBeLessThan(0.05);
  });

  it('does not ring: beside a hard edge, all values are exactly 0 or 255', async () => {
    const data = Uint8Array.from({ length: 400 }, (_, i) => (i % 20 < 10 ? 0 : 255));
    const { data: large } = await enlargeMatte({ width: 20, height: 20, data }, { width: 100, height: 100 });
    for (let x = 0; x < 100; x++) {
      if (x < 44) expect(large[5000 + x]).toBe(0);
      if (x > 55) expect(large[5000 + x]).toBe(255);
      if (x > 0) expect(large[5000 + x]!).toBeGreaterThanOrEqual(large[5000 + x - 1]!);
    }
  });

  it('averages pixels when it shrinks a matte', async () => {
    const data = Uint8Array.from({ length: 64 * 64 }, (_, i) => (i % 2) * 255);
    const { data: small } = await enlargeMatte({ width: 64, height: 64, data }, { width: 16, height: 16 });
    for (const alpha of small.slice(64, -64)) expect(Math.abs(alpha - 127)).toBeLessThan(20);
  });

  it('scales a part with fractional bounds as if it had been cropped from the whole', async () => {
    const matte = drawBump(64, 64);
    const whole = await enlargeMatte(matte, { width: 256, height: 256 });
    const part = await resampleRegion(
      matte,
      { x: 10.25, y: 20.5, width: 16, height: 12 },
      { width: 64, height: 48 },
    );
    for (let y = 0; y < 48; y++) {
      for (let x = 0; x < 64; x++) {
        const expected = whole.data[(y + 82) * 256 + x + 41]!;
        expect(Math.abs(part.data[y * 64 + x]! - expected)).toBeLessThanOrEqual(1);
      }
    }
  });
});
