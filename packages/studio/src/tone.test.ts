import { describe, expect, it } from 'vitest';
import { decodeSrgb } from '../../pixels/src/srgb.ts';
import { toneRow } from './tone.ts';

function toneEven(rgb: readonly number[], grain = 0): Uint8Array {
  const size = 48;
  const line = new Float32Array(size * 3).map((_, i) => rgb[i % 3]!);
  const to = new Uint8Array(size * size * 3);
  for (let row = 0; row < size; row++) {
    toneRow({ width: size, height: size, exposure: 1, grain, vignette: 0, seed: 5 }, line, to, row);
  }
  return to;
}
const meanOf = (data: Uint8Array, channel: number): number => {
  let sum = 0;
  for (let i = channel; i < data.length; i += 3) sum += data[i]!;
  return sum / (data.length / 3);
};

describe('tone', () => {
  it('changes dark, middle and light grays by less than half a stop', () => {
    for (const gray of [0.06, 0.18, 0.5, 0.8]) {
      const shown = decodeSrgb(meanOf(toneEven([gray, gray, gray]), 1) / 255);
      expect(Math.abs(Math.log2(shown / gray))).toBeLessThan(0.45);
    }
  });

  it('shows a fully lit white wall at 85 to 92 percent of the maximum level', () => {
    const shown = meanOf(toneEven([0.8, 0.8, 0.8]), 1) / 255;
    expect(shown).toBeGreaterThan(0.85);
    expect(shown).toBeLessThan(0.92);
  });

  it('balances the channels, and changes no byte with a balance of 1', () => {
    const balanced = (balance?: readonly [number, number, number]): Uint8Array => {
      const to = new Uint8Array(48 * 3);
      const settings = { width: 48, height: 1, exposure: 1, grain: 0.006, vignette: 0, seed: 5, balance };
      toneRow(settings, new Float32Array(48 * 3).fill(0.4), to, 0);
      return to;
    };
    expect(balanced([1, 1, 1])).toEqual(balanced());
    const warm = balanced([1.1, 1, 0.9]);
    expect(meanOf(warm, 0)).toBeGreaterThan(meanOf(balanced(), 0) + 3);
    expect(meanOf(warm, 2)).toBeLessThan(meanOf(balanced(), 2) - 3);
  });

  it('keeps the hue of a paint, but desaturates the paint in very bright light', () => {
    const [red, green, blue] = [0, 1, 2].map((c) => meanOf(toneEven([0.4, 0.2, 0.1]), c));
    expect(red! - green!).toBeGreaterThan(30);
    expect(green! - blue!).toBeGreaterThan(20);
    const bright = [0, 1, 2].map((c) => meanOf(toneEven([8, 4, 2]), c));
    expect(bright[0]! - bright[2]!).toBeLessThan(30);
  });

  it('never clips: four times white is still below the maximum', () => {
    expect(meanOf(toneEven([4, 4, 4]), 0)).toBeLessThan(254.5);
    expect(meanOf(toneEven([4, 4, 4]), 0)).toBeGreaterThan(meanOf(toneEven([1, 1, 1]), 0));
  });

  it('dithers a gray that lies between two levels to both of them; grain adds more levels', () => {
    const levels = (data: Uint8Array): number => new Set(data).size;
    expect(levels(toneEven([0.2175, 0.2175, 0.2175]))).toBeGreaterThanOrEqual(2);
    expect(levels(toneEven([0.2175, 0.2175, 0.2175], 0.006))).toBeGreaterThan(5);
  });
});
