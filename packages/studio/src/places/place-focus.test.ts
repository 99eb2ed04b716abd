import { describe, expect, it } from 'vitest';
import { NOTHING } from '../geometry-buffer.ts';
import { focusRow } from './place-focus.ts';

/** The lines of a picture with a white table below row `edge`, in front of a black place. */
function focus(width: number, height: number, edge: number): number[][] {
  const pixels = width * height;
  const depth = new Float32Array(pixels).fill(9, edge * width);
  const material = new Uint8Array(pixels).fill(NOTHING, 0, edge * width);
  const buffer = { width, height, depth, material, normal: new Float32Array(pixels * 3) };
  const sharp = new Float32Array(pixels * 3).fill(1, edge * width * 3);
  const blurred = {
    width: width + 3,
    height: height + 3,
    data: new Float32Array((width + 3) * (height + 3) * 3),
  };
  const place = { setting: {}, focusDepth: 5, farBlurPx: 12, step: 1, blurred } as never;
  return Array.from({ length: height }, (_, row) => {
    const line = new Float32Array(width * 3);
    focusRow(place, { buffer, sharp } as never, row, line);
    return [...line];
  });
}

describe('focus in a place', () => {
  it('blurs the far edge of a table without noise, monotonically from black to white', () => {
    const rows = focus(24, 40, 20);
    for (const row of rows) {
      for (const value of row) expect(value).toBeCloseTo(row[0]!, 6);
    }
    const means = rows.map((row) => row[0]!);
    for (const [row, mean] of means.slice(1).entries())
      expect(mean).toBeGreaterThanOrEqual(means[row]! - 1e-6);
    expect(means[12]).toBe(0);
    expect((means[19]! + means[20]!) / 2).toBeCloseTo(0.5, 5);
    expect(means[28]).toBeCloseTo(1, 6);
  });
});
