import { describe, expect, it } from 'vitest';
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
  it('keeps colors below the shoulder exactly, on average', () => {
    const data = toneEven([0.2158605, 0.5, 0.05]);
    expect(meanOf(data, 0)).toBeCloseTo(128, 0);
    expect(meanOf(data, 1)).toBeCloseTo(187.5, 0);
    expect(meanOf(data, 2)).toBeCloseTo(63.3, 0);
  });

  it('never clips: four times white is still below the maximum', () => {
    expect(meanOf(toneEven([4, 4, 4]), 0)).toBeLessThan(254.5);
    expect(meanOf(toneEven([4, 4, 4]), 0)).toBeGreaterThan(meanOf(toneEven([1, 1, 1]), 0));
  });

  it('dithers a gray between two levels to both, and grain to more', () => {
    const levels = (data: Uint8Array): number => new Set(data).size;
    expect(levels(toneEven([0.2175, 0.2175, 0.2175]))).toBeGreaterThanOrEqual(2);
    expect(levels(toneEven([0.2175, 0.2175, 0.2175], 0.006))).toBeGreaterThan(5);
  });
});
