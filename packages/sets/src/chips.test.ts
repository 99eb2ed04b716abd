import { expect, it } from 'vitest';
import setChips from './data/chips.json' with { type: 'json' };
import { planSample } from './testing/plans.ts';

it.each(setChips.flatMap(({ words }) => words))('a scene shows everything in "%s"', (words) => {
  const { report } = planSample({ prompt: words });
  expect(report?.used.length).toBeGreaterThan(0);
  expect(report?.notShown).toEqual([]);
});

it('no chip is suggested twice', () => {
  const all = setChips.flatMap(({ words }) => words);
  expect(new Set(all).size).toBe(all.length);
});
