import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { resample } from './resample.ts';

const waves = [
  (x: number, _y: number) => 128 + 100 * Math.sin(x / 9),
  (_x: number, y: number) => 128 + 100 * Math.cos(y / 7),
  (x: number, y: number) => (3 * x + 2 * y) / 5,
] as const;

function drawWaves(width: number, height: number) {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    data.set([...waves.map((wave) => wave(i % width, Math.floor(i / width))), 255], 4 * i);
  }
  return { width, height, data };
}

describe('resample', () => {
  // Compares with the formula of the waves. A picture scaled by libvips would not do: libvips shifts enlarged pictures
  // up and left by up to half a pixel.
  it.each([
    [300, 260],
    [61, 200],
    [203, 61],
    [149, 131],
  ])('scales 150 by 130 pixels to %d by %d without shifting pixels', (width, height) => {
    const { data } = resample(drawWaves(150, 130), width, height);
    let worst = 0;
    for (let i = 0; i < data.length; i += 4) {
      const x = (((i / 4) % width) + 0.5) * (150 / width) - 0.5;
      const y = (Math.floor(i / 4 / width) + 0.5) * (130 / height) - 0.5;
      // Near the border, `resample` repeats the last pixel, but the waves continue.
      if (Math.min(x, 149 - x, y, 129 - y) < 6) continue;
      for (const [c, wave] of waves.entries()) worst = Math.max(worst, Math.abs(data[i + c]! - wave(x, y)));
      worst = Math.max(worst, 255 - data[i + 3]!);
    }
    expect(worst).toBeLessThan(1.8);
  });

  it.each([
    [70, 60],
    [20, 17],
  ])('shrinks 150 by 130 pixels of noise to %d by %d nearly as libvips does', async (width, height) => {
    const data = new Uint8Array(150 * 130 * 4).map((_, i) => (i % 4 === 3 ? 255 : (i * 48271) % 251));
    const expected = await sharp(data, { raw: { width: 150, height: 130, channels: 4 } })
      .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
      .raw()
      .toBuffer();
    const scaled = resample({ width: 150, height: 130, data }, width, height).data;
    // The results differ slightly, because libvips rounds between its passes, and first shrinks by an integer factor.
    expect(Math.max(...scaled.map((value, i) => Math.abs(value - expected[i]!)))).toBeLessThanOrEqual(6);
  });

  it('preserves a constant color under varying alpha', () => {
    const data = new Uint8Array(40 * 30 * 4);
    for (let i = 0; i < 40 * 30; i++) data.set([17, 130, 240, (i * 7919) % 256], 4 * i);
    for (const [width, height] of [
      [97, 13],
      [11, 64],
    ] as const) {
      const scaled = resample({ width: 40, height: 30, data }, width, height).data;
      let seen = 0;
      for (let i = 0; i < scaled.length; i += 4) {
        const color = [...scaled.subarray(i, i + 3)];
        expect(color).toEqual(scaled[i + 3] === 0 ? [0, 0, 0] : [17, 130, 240]);
        seen += scaled[i + 3]!;
      }
      expect(seen).toBeGreaterThan(width * height * 60);
    }
  });

  it('ignores the color of pixels with alpha 0', () => {
    const data = new Uint8Array(64 * 4).fill(255);
    for (let x = 0; x < 64; x++) data.set(x < 32 ? [200, 0, 0, 255] : [0, 255, 0, 0], 4 * x);
    const scaled = resample({ width: 64, height: 1, data }, 23, 1).data;
    for (let i = 0; i < scaled.length; i += 4) expect(scaled[i + 1]).toBe(0);
    expect([...scaled.subarray(0, 4)]).toEqual([200, 0, 0, 255]);
    expect(scaled[4 * 22 + 3]).toBe(0);
  });

  it('scales a picture to one pixel, and one pixel to a picture', () => {
    const one = { width: 1, height: 1, data: Uint8Array.of(9, 90, 190, 255) };
    const many = resample(one, 37, 21);
    expect(new Set(new Uint32Array(many.data.buffer)).size).toBe(1);
    expect([...resample(many, 1, 1).data]).toEqual([9, 90, 190, 255]);
  });

  it('keeps no state from the previous picture', () => {
    const small = drawWaves(90, 70);
    const alone = resample(small, 50, 110).data;
    // A wider picture than one page of memory can hold, so the memory has to grow.
    resample(drawWaves(9000, 3), 3000, 2);
    expect(resample(small, 50, 110).data).toEqual(alone);
  });
});
