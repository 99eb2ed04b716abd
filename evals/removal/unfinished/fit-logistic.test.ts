import { describe, expect, it } from 'vitest';
import { predictProbability } from '../../src/cutout/logistic.ts';
import { fitLogistic, type Sample } from './fit-logistic.ts';

/** The label depends on `told` alone: it is 1 in 9 of 10 samples above 0, and in 1 of 10 below. */
const samples: Sample[] = Array.from({ length: 200 }, (_, n) => {
  const told = n % 2 === 0 ? 1 : -1;
  const isTurned = n % 20 < 2;
  return {
    numbers: { told, noise: Math.sin(n * 7.3), constant: 4 },
    label: told > 0 !== isTurned ? 1 : 0,
    weight: 1,
    product: `${n}`,
  };
});

describe('a logistic fit', () => {
  const model = fitLogistic(samples, ['told', 'noise', 'constant']);

  it('finds the probabilities', () => {
    expect(predictProbability(model, { told: 1, noise: 0, constant: 4 })).toBeCloseTo(0.9, 1);
    expect(predictProbability(model, { told: -1, noise: 0, constant: 4 })).toBeCloseTo(0.1, 1);
  });

  it('leaves out a number whose weight has the wrong sign', () => {
    const signed = fitLogistic(samples, ['told', 'noise'], { told: -1 });
    expect(Object.keys(signed.terms)).toEqual(['noise']);
  });

  it('gives no weight to what tells nothing', () => {
    expect(Math.abs(model.terms.noise!.weight)).toBeLessThan(0.3);
    expect(model.terms.constant!.weight).toBeCloseTo(0);
  });
});
