import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { predictAverages } from '../testing/coarse-engine.ts';
import { isMesh, runHalfPasses } from './half-passes.ts';

const SIDE = 640;
const ENGINE_SIDE = 256;

/** A white net on black, with a wire 3 px wide every 10 px. */
const net: RgbImage = (() => {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = i % SIDE;
    const y = Math.floor(i / SIDE);
    const isInside = x >= 120 && x < 520 && y >= 120 && y < 520;
    if (isInside && (x % 10 < 3 || y % 10 < 3)) data.fill(255, i * 3, i * 3 + 3);
  }
  return { width: SIDE, height: SIDE, data };
})();

const predict = predictAverages(ENGINE_SIDE);

function measureError({ width, height, data }: Matte): number {
  let error = 0;
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = Math.floor((((i % SIDE) + 0.5) * width) / SIDE);
    const y = Math.floor(((Math.floor(i / SIDE) + 0.5) * height) / SIDE);
    error += Math.abs(data[y * width + x]! - net.data[i * 3]!) / 255;
  }
  return error / (SIDE * SIDE);
}

const measureMean = ({ data }: Matte): number => data.reduce((sum, alpha) => sum + alpha, 0) / data.length;

describe('runs of the model on each half of the subject', () => {
  it('show a wire mesh in more detail than one pass over the whole subject', async () => {
    const soft = predict(net);
    let asked = 0;
    const fine = await runHalfPasses(net, soft, {
      async run(_, part) {
        asked++;
        return predict(part);
      },
    });
    expect(asked).toBe(2);
    expect(measureError(fine)).toBeLessThan(measureError(soft) * 0.92);
  });

  it('are made only for soft subjects with many holes', async () => {
    expect(await isMesh(predict(net))).toBe(true);
    const sharp: Matte = { width: 64, height: 64, data: new Uint8Array(64 * 64).fill(255) };
    expect(await isMesh(sharp)).toBe(false);
    const fog: Matte = { width: 64, height: 64, data: new Uint8Array(64 * 64).fill(160) };
    expect(await isMesh(fog)).toBe(false);
  });

  it('are ignored if they contradict the pass over the whole subject', async () => {
    const block: Matte = { width: 128, height: 128, data: new Uint8Array(128 * 128) };
    for (let y = 30; y < 98; y++) block.data.fill(255, y * 128 + 30, y * 128 + 98);
    const nothing: Matte = { width: 128, height: 128, data: new Uint8Array(128 * 128) };
    const unchanged = await runHalfPasses(net, block, { run: async () => nothing });
    expect(measureMean(unchanged)).toBeCloseTo(measureMean(block), 0);
  });
});
