/** Test suite that every removal engine must pass. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../pixels.ts';
import type { RemovalEngine } from './removal-engine.ts';

export function describeRemovalEngine(name: string, open: () => Promise<RemovalEngine>): void {
  describe(`${name}, as a removal engine`, () => {
    let engine: RemovalEngine;
    const ball = drawBall(300, 200);
    /** The ball's mattes from a full and a coarse pass, computed only once because a model takes seconds. */
    let matte: Matte;
    let coarse: Matte;
    const predict = (source: RgbImage, resolution?: 'coarse'): Promise<Matte> =>
      engine.predictMatte(source, {
        signal: new AbortController().signal,
        ...(resolution && { resolution }),
      });
    beforeAll(async () => {
      engine = await open();
      matte = await predict(ball);
      coarse = await predict(ball, 'coarse');
    });
    afterAll(() => engine.close());

    it('names itself and its version', () => {
      expect(engine.id).toBe(name);
      expect(engine.version).toContain(name);
    });

    it('covers the photo with one byte per pixel, at its own resolution', () => {
      expect(matte.data.length).toBe(matte.width * matte.height);
      expect(Math.min(matte.width, matte.height)).toBeGreaterThanOrEqual(16);
    });

    it('finds a dark ball on white paper, and not the paper', () => {
      expect(readAt(matte, 0.5, 0.5)).toBeGreaterThan(240);
      for (const [x, y] of [
        [0.02, 0.02],
        [0.98, 0.02],
        [0.02, 0.98],
        [0.98, 0.98],
      ] as const) {
        expect(readAt(matte, x, y)).toBeLessThan(15);
      }
      const share = matte.data.reduce((sum, alpha) => sum + alpha, 0) / 255 / matte.data.length;
      expect(share).toBeCloseTo((Math.PI * 50 ** 2) / (300 * 200), 1);
    });

    it('finds the same ball in a coarse pass, and offers coarse passes only if they are cheaper', () => {
      if (engine.coarseShare === undefined) {
        expect(coarse).toEqual(matte);
        return;
      }
      expect(engine.coarseShare).toBeLessThan(1);
      expect(coarse.data.length).toBe(coarse.width * coarse.height);
      expect(coarse.data.length).toBeLessThan(matte.data.length);
      expect(readAt(coarse, 0.5, 0.5)).toBeGreaterThan(240);
      expect(readAt(coarse, 0.02, 0.02)).toBeLessThan(15);
    });

    it('states the cost of a `shaped` pass, which keeps the aspect ratio of the picture', () => {
      const share = engine.measureShapedShare?.(ball) ?? 1;
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(engine.measureShapedShare?.({ width: 200, height: 200 }) ?? 1).toBe(1);
    });

    it('returns the same matte for the same photo twice, and does not change the photo', async () => {
      expect(await predict(ball, 'coarse')).toEqual(coarse);
      expect(ball).toEqual(drawBall(300, 200));
    });

    it.each([
      [16, 16],
      [16, 900],
      [900, 16],
    ])('returns a matte for a photo of %i×%i px', async (width, height) => {
      const small = await predict(drawBall(width, height), 'coarse');
      expect(Math.min(small.width, small.height)).toBeGreaterThanOrEqual(16);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('enough');
      const call = engine.predictMatte(drawBall(64, 64), { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
    });
  });
}

/**
 * A shaded dark red ball with a radius of a quarter of the shorter side, on white paper that darkens toward
 * the bottom.
 */
export function drawBall(width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const radius = Math.min(width, height) / 4;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p += 3) {
      const u = (x + 0.5 - width / 2) / radius;
      const v = (y + 0.5 - height / 2) / radius;
      const share = Math.min(1, Math.max(0, (1 - Math.hypot(u, v)) * radius + 0.5));
      const paper = 245 - (20 * y) / height;
      const light = 0.6 + 0.4 * Math.max(0, 1 - Math.hypot(u + 0.4, v + 0.4));
      data[p] = share * 150 * light + (1 - share) * paper;
      data[p + 1] = share * 30 * light + (1 - share) * paper;
      data[p + 2] = share * 40 * light + (1 - share) * paper;
    }
  }
  return { width, height, data };
}

/** Returns the matte's value at a position, given as coordinates from 0 to 1. */
export function readAt(matte: Matte, x: number, y: number): number {
  return matte.data[Math.floor(y * matte.height) * matte.width + Math.floor(x * matte.width)]!;
}
