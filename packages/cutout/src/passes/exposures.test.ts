import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { chooseExposure, curveExposure } from './exposures.ts';

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

/** Passes whose mattes `show` gives by the name of the exposure. */
function open(show: (name: string) => Matte, mayRun = true) {
  const asked: string[] = [];
  const passes = {
    mayRun: () => mayRun,
    async run(name: string) {
      asked.push(name);
      return show(name);
    },
  };
  return { asked, passes };
}

describe('other exposures', () => {
  it.each([
    ['if the first pass is certain', onPaper, whole, true],
    ['on backgrounds that are not bright', onTable, torn, true],
    ['if there is no time', onPaper, torn, false],
  ])('are not tried %s', async (_, photo, matte, mayRun) => {
    const { asked, passes } = open(() => whole, mayRun);
    const view = await chooseExposure(photo, matte, passes);
    expect(view).toEqual({ matte, gamma: 1, agreement: 1, disputed: [] });
    expect(asked).toEqual([]);
  });

  it('are darker on bright paper, and win if they find all of the product', async () => {
    const { asked, passes } = open((name) => (name === 'exposure 5' ? whole : torn));
    const view = await chooseExposure(onPaper, torn, passes);
    expect(asked).toEqual(['exposure 2.5', 'exposure 5']);
    expect([view.gamma, view.matte]).toEqual([5, whole]);
  });

  it('end with the gentle one if that is sure', async () => {
    const { asked, passes } = open(() => whole);
    expect((await chooseExposure(onPaper, torn, passes)).gamma).toBe(2.5);
    expect(asked).toEqual(['exposure 2.5']);
  });

  it('report the places where their mattes contradict each other', async () => {
    const { passes } = open(() => whole);
    const view = await chooseExposure(onPaper, torn, passes);
    expect(view.agreement).toBeLessThan(0.8);
    expect(view.disputed[0]!.box).toEqual({ x: 32, y: 32, width: 64, height: 32 });
  });

  it('never win with an empty matte', async () => {
    const { passes } = open(() => empty);
    expect((await chooseExposure(onPaper, torn, passes)).gamma).toBe(1);
  });
});

describe('the exposure curve', () => {
  it('spreads highlights, and keeps black and white', () => {
    const steps: RgbImage = {
      width: 4,
      height: 1,
      data: Uint8Array.of(0, 0, 0, 20, 20, 20, 235, 235, 235, 255, 255, 255),
    };
    const dark = curveExposure(steps, 2.5).data;
    expect([dark[0], dark[11]]).toEqual([0, 255]);
    expect(255 - dark[6]!).toBeGreaterThan(40);
    expect(curveExposure(steps, 1)).toBe(steps);
  });
});
