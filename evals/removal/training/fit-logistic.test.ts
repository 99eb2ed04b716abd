import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/cutout/steps/logistic-model.ts';
import { crossValidate, type Example, fitLogistic } from './fit-logistic.ts';

/** 400 examples of 40 products; the second input has no effect on the result. */
const examples: readonly Example[] = Array.from({ length: 400 }, (_, n) => {
  const value = ((n * 37) % 101) / 10;
  const chance = 1 / (1 + Math.exp(-(value - 5)));
  return {
    product: `product ${n % 40}`,
    inputs: [value, (n * 53) % 7],
    isPositive: ((n * 61) % 97) / 97 < chance,
  };
});

describe('a logistic regression', () => {
  it('finds the probabilities that the examples were drawn from', () => {
    const model = fitLogistic(examples);
    for (const value of [2, 4, 5, 6, 8])
      expect(predict(model, [value, 3])).toBeCloseTo(1 / (1 + Math.exp(5 - value)), 0.5);
    expect(Math.abs(model.weights[1]!)).toBeLessThan(0.15);
  });

  it('predicts each product from the others', () => {
    const odd = { product: 'odd one', inputs: [9, 0], isPositive: false };
    const predicted = crossValidate([...examples, odd]);
    expect(predicted).toHaveLength(401);
    expect(predicted[400]).toBeGreaterThan(0.9);
  });
});
