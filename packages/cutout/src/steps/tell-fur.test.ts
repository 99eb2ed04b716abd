import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { isFur } from './tell-fur.ts';

const SIDE = 320;
const RADIUS = 90;
const SOFT_PX = 12;
const area = { x: 0, y: 0, width: SIDE, height: SIDE };

const draw = (valueAt: (radius: number, angle: number) => number): Uint8Array =>
  Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const x = (i % SIDE) - SIDE / 2;
    const y = Math.floor(i / SIDE) - SIDE / 2;
    return Math.round(255 * Math.min(1, Math.max(0, valueAt(Math.hypot(x, y), Math.atan2(y, x)))));
  });

const ramp = (radius: number) => 0.5 + (RADIUS - radius) / SOFT_PX;
/** A disc with a soft outline. */
const matte: Matte = { width: SIDE, height: SIDE, data: draw(ramp) };
const softEdges = { weights: new Float32Array(SIDE * SIDE).fill(1), area, scale: 1 };

const photograph = (values: Uint8Array): RgbImage => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: 3 * values.length }, (_, p) => 40 + 0.7 * values[Math.floor(p / 3)]!),
});

describe('a soft outline', () => {
  it('is fur if the photo shows strands all along it', () => {
    const strands = draw((radius, angle) =>
      Math.abs(radius - RADIUS) > SOFT_PX / 2 ? ramp(radius) : 0.5 + 0.5 * Math.sin(130 * angle),
    );
    expect(isFur(matte, photograph(strands), softEdges)).toBe(true);
  });

  it('is no fur if the photo is out of focus', () => {
    expect(isFur(matte, photograph(matte.data), softEdges)).toBe(false);
  });

  it('is no fur if only a few edges cross it', () => {
    const stripes = draw((radius, angle) => ramp(radius) * (Math.sin(3 * angle) > 0 ? 1 : 0.3));
    expect(isFur(matte, photograph(stripes), softEdges)).toBe(false);
  });
});
