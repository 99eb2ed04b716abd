/** Test suite that every removal engine must pass: the published contract, and what several resolutions promise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawBall, engineContract, readAt } from '../engine-contract.ts';
import type { RemovalEngine } from './removal-engine.ts';

export { drawBall, readAt };

export function describeRemovalEngine(name: string, open: () => Promise<RemovalEngine>): void {
  describe(`${name}, as a removal engine`, () => {
    let engine: RemovalEngine;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine.close());

    it('names itself and its version', () => {
      expect(engine.id).toBe(name);
      expect(engine.version).toContain(name);
    });

    for (const { promise, check } of engineContract) it(promise, () => check(engine));

    it('finds the same ball in a coarse pass, with fewer pixels', async ({ skip }) => {
      if (!engine.resolutions) return skip('it has one resolution');
      const coarse = await engine.predictMatte(drawBall(300, 200), {
        signal: new AbortController().signal,
        resolution: 'coarse',
      });
      expect(engine.resolutions.coarseShare).toBeLessThan(1);
      expect(readAt(coarse, 0.5, 0.5)).toBeGreaterThan(240);
      expect(readAt(coarse, 0.02, 0.02)).toBeLessThan(15);
    });

    it('states the cost of a `shaped` pass, which keeps the aspect ratio of the picture', ({ skip }) => {
      if (!engine.resolutions) skip('it has one resolution');
      const measure = engine.resolutions!.measureShapedShare;
      expect(measure({ width: 300, height: 200 })).toBeGreaterThan(0);
      expect(measure({ width: 300, height: 200 })).toBeLessThanOrEqual(1);
      expect(measure({ width: 200, height: 200 })).toBe(1);
    });
  });
}
