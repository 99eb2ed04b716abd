import { describe, expect, it } from 'vitest';
import { dimPicture } from './dim-picture.ts';

const grid = { width: 2, height: 1, cellPx: 2 };

describe('dimPicture', () => {
  it('multiplies in linear light', () => {
    const picture = { width: 4, height: 2, data: new Uint8Array(24).fill(255) };
    dimPicture(picture, Float32Array.of(0.5, 0.5), grid);
    expect(Math.abs(picture.data[0]! - 188)).toBeLessThanOrEqual(1);
  });

  it('leaves pixels without shadow unchanged, and makes the transition into shadow smooth', () => {
    const picture = { width: 4, height: 2, data: new Uint8Array(24).fill(200) };
    dimPicture(picture, Float32Array.of(1, 0), grid);
    const row = [0, 1, 2, 3].map((x) => picture.data[x * 3]!);
    expect(row[0]).toBe(200);
    expect(row[3]).toBe(0);
    expect(row[1]).toBeGreaterThan(row[2]!);
    expect(row[2]).toBeGreaterThan(0);
  });
});
