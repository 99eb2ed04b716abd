import { describe, expect, it } from 'vitest';
import type { StudioProduct } from './product-proxy.ts';
import { applyShadow, renderShadow } from './shadow-catcher.ts';

const size = { width: 96, height: 96 };
const signal = new AbortController().signal;

function makeBlockProduct(): StudioProduct {
  const data = new Uint8Array(24 * 48 * 4).fill(255);
  return { image: { width: 24, height: 48, data }, x: 36, y: 30 };
}

describe('the shadow catcher', () => {
  it('darkens the ground beside the foot, away from the light, and nothing above the horizon', async () => {
    const { kept } = await renderShadow({
      ...size,
      product: makeBlockProduct(),
      azimuthDeg: -35,
      elevationDeg: 11,
      signal,
    });
    const at = (x: number, y: number): number => kept[y * size.width + x]!;
    expect(at(63, 76)).toBeLessThan(0.9);
    expect(at(63, 76)).toBeLessThan(at(32, 76));
    expect(at(48, 4)).toBe(1);
    expect(at(2, 94)).toBeGreaterThan(0.97);
  });

  it('turns round with the light', async () => {
    const { kept } = await renderShadow({
      ...size,
      product: makeBlockProduct(),
      azimuthDeg: 35,
      elevationDeg: 11,
      signal,
    });
    expect(kept[76 * size.width + 32]!).toBeLessThan(kept[76 * size.width + 63]!);
  });

  it('multiplies in linear light', () => {
    const backdrop = { width: 2, height: 1, data: Uint8Array.of(255, 255, 255, 200, 200, 200) };
    applyShadow(backdrop, { width: 2, height: 1, kept: Float32Array.of(0.5, 1) });
    expect(Math.abs(backdrop.data[0]! - 188)).toBeLessThanOrEqual(1);
    expect(Array.from(backdrop.data.subarray(3))).toEqual([200, 200, 200]);
  });
});
