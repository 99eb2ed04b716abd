import { describe, expect, it } from 'vitest';
import type { Box, Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { cleanEdges } from './clean-edges.ts';

type Rgb = readonly [number, number, number];

/** A disc with a soft edge of `softPx`, whose colors mix as in a camera. */
function drawDisc(size: { width: number; height: number }, softPx: number, subject: Rgb, backdrop: Rgb) {
  const { width, height } = size;
  const data = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  const radius = Math.min(width, height) / 4;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const distance = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2);
      const share = Math.min(1, Math.max(0, (radius - distance) / softPx + 0.5));
      alpha[i] = Math.round(share * 255);
      for (let c = 0; c < 3; c++)
        data[i * 3 + c] = Math.round(share * subject[c]! + (1 - share) * backdrop[c]!);
    }
  }
  const source: RgbImage = { width, height, data };
  const matte: Matte = { width, height, data: alpha };
  return { source, matte, box: boundsOf(matte) };
}

function boundsOf({ width, height, data }: Matte): Box {
  const at = [...data.keys()].filter((i) => data[i]! > 0);
  const xs = at.map((i) => i % width);
  const ys = at.map((i) => Math.floor(i / width));
  const [x, y] = [xs.reduce((a, b) => Math.min(a, b), width), ys.reduce((a, b) => Math.min(a, b), height)];
  return {
    x,
    y,
    width: xs.reduce((a, b) => Math.max(a, b), 0) - x + 1,
    height: ys.reduce((a, b) => Math.max(a, b), 0) - y + 1,
  };
}

describe('cleaning edges', () => {
  it.each([2, 12])('removes the green of the backdrop from a soft edge of %i px', (softPx) => {
    const red: Rgb = [200, 30, 40];
    const { source, matte, box } = drawDisc({ width: 200, height: 160 }, softPx, red, [20, 220, 60]);
    const { data } = cleanEdges(source, matte, box);
    let worst = 0;
    for (const [i, alpha] of matte.data.entries()) {
      if (alpha < 16) continue;
      for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(data[i * 4 + c]! - red[c]!));
    }
    // In the photo, the worst of these pixels are almost pure backdrop, and have an error of almost 180.
    expect(worst).toBeLessThan(25);
  });

  it('keeps the photo’s colors exactly where the subject is solid', () => {
    const { source, matte, box } = drawDisc({ width: 150, height: 150 }, 3, [10, 20, 30], [250, 250, 250]);
    for (let i = 0; i < source.data.length; i++) {
      if (matte.data[Math.floor(i / 3)]! >= 250) source.data[i] = (i * 31) % 256;
    }
    const { data } = cleanEdges(source, matte, box);
    for (const [i, alpha] of matte.data.entries()) {
      if (alpha < 250) continue;
      expect([...data.subarray(i * 4, i * 4 + 4)]).toEqual([
        ...source.data.subarray(i * 3, i * 3 + 3),
        alpha,
      ]);
    }
  });

  it('stores zeros where alpha is 0, and leaves the matte unchanged', () => {
    const { source, matte, box } = drawDisc({ width: 120, height: 90 }, 4, [1, 2, 3], [9, 8, 7]);
    const { data } = cleanEdges(source, matte, box);
    for (const [i, alpha] of matte.data.entries()) {
      expect(data[i * 4 + 3]).toBe(alpha);
      if (alpha === 0) expect(data[i * 4]! + data[i * 4 + 1]! + data[i * 4 + 2]!).toBe(0);
    }
  });

  it('leaves no seam between the strips into which it divides the photo', () => {
    const size = { width: 80, height: 600 };
    const data = new Uint8Array(size.width * size.height * 3);
    const alpha = new Uint8Array(size.width * size.height);
    for (let i = 0; i < alpha.length; i++) {
      const x = i % size.width;
      alpha[i] = Math.min(255, Math.max(0, (x - 30) * 16));
      data.set([alpha[i]!, 100, 255 - alpha[i]!], i * 3);
    }
    const box: Box = { x: 30, y: 0, width: 50, height: 600 };
    const { data: cut } = cleanEdges({ ...size, data }, { ...size, data: alpha }, box);
    for (let y = 100; y < 500; y++) {
      for (let x = 32; x < 46; x++) {
        const at = (y * size.width + x) * 4;
        expect(Math.abs(cut[at]! - cut[at - size.width * 4]!)).toBeLessThan(12);
      }
    }
  });

  it.each([
    [1, 1],
    [1, 40],
    [40, 1],
    [3, 2],
  ])('works on a subject of %i×%i px in a corner', (width, height) => {
    const source: RgbImage = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(77) };
    const alpha = new Uint8Array(64 * 64);
    for (let y = 0; y < height; y++) alpha.fill(128, y * 64, y * 64 + width);
    const { data } = cleanEdges(
      source,
      { width: 64, height: 64, data: alpha },
      { x: 0, y: 0, width, height },
    );
    expect([...data.subarray(0, 4)]).toEqual([77, 77, 77, 128]);
  });
});
