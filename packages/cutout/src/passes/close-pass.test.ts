import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { predictAverages } from '../testing/coarse-engine.ts';
import { runAnotherClosePass } from './close-pass.ts';
import { asSeen } from './exposures.ts';
import { mixClosePass } from './mix-passes.ts';
import type { Passes } from './run-passes.ts';

/** A photo of a white disc on black, processed by an engine with `ENGINE_SIDE` pixels per side. */
const WIDTH = 600;
const HEIGHT = 400;
const ENGINE_SIDE = 64;
const RADIUS = 60;

const photo: RgbImage = (() => {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const distance = Math.hypot((i % WIDTH) + 0.5 - 200, Math.floor(i / WIDTH) + 0.5 - 150);
    if (distance < RADIUS) data.fill(255, i * 3, i * 3 + 3);
  }
  return { width: WIDTH, height: HEIGHT, data };
})();

const predict = predictAverages(ENGINE_SIDE);

function measureError({ width, height, data }: Matte): number {
  let error = 0;
  for (let i = 0; i < data.length; i++) {
    const u = (((i % width) + 0.5) * WIDTH) / width - 200;
    const v = ((Math.floor(i / width) + 0.5) * HEIGHT) / height - 150;
    error += Math.abs(data[i]! / 255 - (Math.hypot(u, v) < RADIUS ? 1 : 0));
  }
  return error / data.length;
}

/** Runs a close pass after `whole`; `close` changes what the engine returns. */
async function runClose(whole: Matte, close: (matte: Matte) => Matte = (matte) => matte) {
  const sizes: number[][] = [];
  const passes: Passes = {
    hasCoarse: false,
    leftOut: [],
    isTimeForFull: () => true,
    leaveOut: () => undefined,
    mayRun: () => true,
    async run(_, part) {
      sizes.push([part.width, part.height]);
      return close(predict(part));
    },
  };
  return { pass: await runAnotherClosePass(photo, asSeen(whole), passes), sizes };
}

describe('a close pass', () => {
  it('shows a small subject in more detail and at the right place', async () => {
    const whole = predict(photo);
    const { pass } = await runClose(whole);
    const { matte, agreement } = await mixClosePass(photo, whole, pass!);
    expect(agreement).toBe(1);
    expect(matte.width).toBeGreaterThan(150);
    expect(matte.width / matte.height).toBeCloseTo(WIDTH / HEIGHT, 1);
    expect(measureError(matte)).toBeLessThan(measureError(whole) * 0.8);
  });

  it('covers the subject with a margin of a quarter of its size', async () => {
    const { sizes } = await runClose(predict(photo));
    expect(sizes).toHaveLength(1);
    for (const side of sizes[0]!) {
      expect(side).toBeGreaterThan(2 * RADIUS * 1.4);
      expect(side).toBeLessThan(2 * RADIUS * 1.7);
    }
  });

  it('is ignored if it contradicts the pass over the whole photo, and the places of the contradiction are reported', async () => {
    const whole = predict(photo);
    const loseHalf = ({ data, ...size }: Matte): Matte => ({
      ...size,
      data: data.map((alpha, i) => (i < (ENGINE_SIDE * ENGINE_SIDE) / 2 ? 0 : alpha)),
    });
    const { pass } = await runClose(whole, loseHalf);
    const mixed = await mixClosePass(photo, whole, pass!);
    expect(mixed.matte).toBe(whole);
    expect(mixed.agreement).toBeLessThan(0.7);
    const { x, y, width, height } = mixed.disputed[0]!.box;
    expect(x + width / 2).toBeCloseTo(200, -1.5);
    expect(y).toBeGreaterThan(80);
    expect(y + height).toBeLessThan(160);
  });

  it('does not run if the subject fills the photo, or if there is none', async () => {
    for (const value of [255, 0]) {
      const whole: Matte = { width: 64, height: 64, data: new Uint8Array(64 * 64).fill(value) };
      expect(await runClose(whole)).toEqual({ pass: null, sizes: [] });
    }
  });
});
