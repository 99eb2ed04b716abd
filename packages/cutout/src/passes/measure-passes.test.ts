import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { isEnough } from './judge-passes.ts';
import { measurePasses } from './measure-passes.ts';

const SIDE = 200;
const draw = (alphaAt: (x: number, y: number) => number): Matte => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => alphaAt(i % SIDE, Math.floor(i / SIDE))),
});
const isIn = (x: number, y: number, left: number, top: number, width: number, height: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;
/** A product of 100 by 100 px, with `inner` as the alpha of its middle of 50 by 50 px. */
const withMiddle = (inner: number) =>
  draw((x, y) => (isIn(x, y, 75, 75, 50, 50) ? inner : isIn(x, y, 50, 50, 100, 100) ? 255 : 0));
const whole = withMiddle(255);

describe('the first two passes', () => {
  it('are enough if both are sharp and the same', () => {
    const measures = measurePasses(whole, whole);
    expect(measures).toEqual({ veil: 0, contradiction: 0 });
    expect(isEnough(measures)).toBe(true);
  });

  it.each([
    ['lacks a part', withMiddle(0), whole],
    ['adds a part', whole, withMiddle(0)],
  ])('are not enough if both are sure, and the closer one %s', (_, close, coarse) => {
    const measures = measurePasses(close, coarse);
    expect(measures.contradiction).toBeCloseTo(0.25, 1);
    expect(isEnough(measures)).toBe(false);
  });

  it('are not enough if the closer one leaves a semi-transparent area (veil)', () => {
    const measures = measurePasses(withMiddle(128), whole);
    expect(measures.veil).toBeCloseTo(0.23, 1);
    expect(isEnough(measures)).toBe(false);
  });

  it('do not contradict each other where one is unsure', () => {
    expect(measurePasses(whole, withMiddle(100)).contradiction).toBe(0);
  });

  it('do not contradict each other if their outlines are only a pixel apart', () => {
    const wider = draw((x, y) => (isIn(x, y, 49, 49, 102, 102) ? 255 : 0));
    expect(measurePasses(wider, whole).contradiction).toBe(0);
  });
});
