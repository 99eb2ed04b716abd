import { describe, expect, it } from 'vitest';
import { compareFigure, countChanges, isWorse, measureMean, type ScoredPhoto } from './compare-rows.ts';

const photo = (id: string, mae: number): ScoredPhoto => ({
  id,
  product: id.split('-')[0]!,
  score: { mae, iou: 1 - mae, bf2: 1, bf5: 1, edge: 0 },
});

describe('the interval of a mean', () => {
  it('treats many photos of one product as little evidence', () => {
    const values = Array.from({ length: 40 }, (_, n) => n % 2);
    const independent = measureMean(values.map((value, n) => ({ product: `p${n}`, value })));
    const related = measureMean(values.map((value) => ({ product: `p${value}`, value })));
    expect(independent.mean).toBe(0.5);
    expect(related.mean).toBe(0.5);
    expect(related.high - related.low).toBeGreaterThan(3 * (independent.high - independent.low));
  });

  it('is the same for the same values', () => {
    const values = [1, 2, 5].map((value) => ({ product: `p${value}`, value }));
    expect(measureMean(values)).toEqual(measureMean(values));
  });
});

describe('a comparison', () => {
  const before = [photo('mug-a', 0.01), photo('mug-b', 0.02), photo('shoe-a', 0.03), photo('lamp-a', 0.04)];

  it('pairs photos by their id, and leaves out those that only one side has', () => {
    const now = [photo('lamp-a', 0.05), photo('mug-a', 0.02), photo('new-a', 0.9)];
    const { now: own, change } = compareFigure(now, before, 'mae');
    expect(own.mean).toBeCloseTo(0.035);
    expect(change.mean).toBeCloseTo(0.01);
    expect(isWorse('mae', change)).toBe(true);
  });

  it('is not worse if the interval of its change includes zero', () => {
    const now = [photo('mug-a', 0.02), photo('shoe-a', 0.01), photo('lamp-a', 0.05)];
    const { change } = compareFigure(now, before, 'mae');
    expect([isWorse('mae', change), isWorse('iou', compareFigure(now, before, 'iou').change)]).toEqual([
      false,
      false,
    ]);
  });

  it('counts photos and products that got better, got worse or stayed the same', () => {
    const now = [photo('mug-a', 0.005), photo('mug-b', 0.03), photo('shoe-a', 0.03), photo('lamp-a', 0.01)];
    expect(countChanges(now, before)).toEqual({
      photos: { better: 2, worse: 1, same: 1 },
      products: { better: 1, worse: 1, same: 1 },
    });
  });
});
