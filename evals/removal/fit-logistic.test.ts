import { expect, it } from 'vitest';
import { type Example, fitLogistic, predict, predictLeftOut } from './fit-logistic.ts';

/** 40 products, each with two photos; `isTrue` if the first input is above .5, with a few exceptions. */
const examples: Example[] = Array.from({ length: 80 }, (_, n) => {
  const input = ((n * 37) % 80) / 80;
  return {
    product: `p${n % 40}`,
    inputs: [input, (n % 7) / 7],
    isTrue: n % 11 === 0 ? input < 0.5 : input > 0.5,
  };
});

it('a fitted model weighs the input that tells', () => {
  const [, first, second] = fitLogistic(examples);
  expect(first).toBeGreaterThan(5 * Math.abs(second!));
  expect(predict(fitLogistic(examples), [0.9, 0])).toBeGreaterThan(0.8);
});

it('a photo is judged by a model that knows nothing of its product', () => {
  const odd = examples.map((each) => (each.product === 'p3' ? { ...each, isTrue: !each.isTrue } : each));
  const at = odd.findIndex(({ product }) => product === 'p3');
  expect(predictLeftOut(odd)[at]).toBe(predictLeftOut(examples)[at]);
});
