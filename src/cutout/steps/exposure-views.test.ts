import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { chooseExposure, curveExposure } from './exposure-views.ts';

const SIDE = 128;
const draw = (alphaAt: (x: number, y: number) => number): Matte => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => alphaAt(i % SIDE, Math.floor(i / SIDE))),
});
const isInside = (x: number, y: number): boolean => x >= 32 && x < 96 && y >= 32 && y < 96;
const whole = draw((x, y) => (isInside(x, y) ? 255 : 0));
/** The upper half of the product is faint. */
const torn = draw((x, y) => (isInside(x, y) ? (y < 64 ? 110 : 255) : 0));
const empty = draw(() => 0);

const photograph = (backdrop: number, subject: number): RgbImage => {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    data.fill(isInside(i % SIDE, Math.floor(i / SIDE)) ? subject : backdrop, i * 3, i * 3 + 3);
  }
  return { width: SIDE, height: SIDE, data };
};
const onPaper = photograph(240, 228);
const onTable = photograph(120, 100);

const refuse = (): Promise<Matte> => Promise.reject(new Error('the engine was asked again'));

describe('other exposures', () => {
  it('are not tried if the first pass is certain', async () => {
    expect(await chooseExposure(onPaper, whole, refuse)).toEqual({
      matte: whole,
      gamma: 1,
      agreement: 1,
      disputed: [],
    });
  });

  it('are darker on bright paper, and win if they find all of the product', async () => {
    const asked: number[] = [];
    const view = await chooseExposure(onPaper, torn, async (gamma) => {
      asked.push(gamma);
      return gamma === 5 ? whole : torn;
    });
    expect(asked).toEqual([2.5, 5]);
    expect(view.gamma).toBe(5);
    expect(view.matte).toBe(whole);
  });

  it('report the places where their mattes contradict each other', async () => {
    const view = await chooseExposure(onPaper, torn, async () => whole);
    expect(view.agreement).toBeLessThan(0.8);
    expect(view.disputed[0]!.box).toEqual({ x: 32, y: 32, width: 64, height: 32 });
  });

  it('are brighter on other backgrounds, where they must be clearly better', async () => {
    const asked: number[] = [];
    const tear = (px: number) => draw((x, y) => (isInside(x, y) ? (x < px && y < 52 ? 110 : 255) : 0));
    const slightlyTorn = tear(52);
    const view = await chooseExposure(onTable, slightlyTorn, async (gamma) => {
      asked.push(gamma);
      return tear(50);
    });
    expect(asked).toEqual([0.5]);
    expect(view.gamma).toBe(1);
    const clearlyBetter = await chooseExposure(onTable, slightlyTorn, async () => whole);
    expect(clearlyBetter.gamma).toBe(0.5);
  });

  it('never win with an empty matte', async () => {
    expect((await chooseExposure(onPaper, torn, async () => empty)).gamma).toBe(1);
  });
});

describe('the exposure curve', () => {
  it('spreads highlights with a gamma above 1 and shadows with one below 1, and keeps black and white', () => {
    const steps: RgbImage = {
      width: 4,
      height: 1,
      data: Uint8Array.of(0, 0, 0, 20, 20, 20, 235, 235, 235, 255, 255, 255),
    };
    const dark = curveExposure(steps, 2.5).data;
    const bright = curveExposure(steps, 0.5).data;
    expect([dark[0], dark[11], bright[0], bright[11]]).toEqual([0, 255, 0, 255]);
    expect(255 - dark[6]!).toBeGreaterThan(40);
    expect(bright[3]).toBeGreaterThan(60);
    expect(curveExposure(steps, 1)).toBe(steps);
  });
});
