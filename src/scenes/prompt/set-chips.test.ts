import { expect, it } from 'vitest';
import { aiStudio } from '../../recipes/presets.ts';
import { planWithReport } from '../report-words.ts';
import { makeFeatures } from '../testing/silhouettes.ts';
import { readUnits } from './read-units.ts';
import { setChips } from './set-chips.ts';

it.each(setChips.flatMap(({ words }) => words))('a scene shows everything in "%s"', (words) => {
  const { report } = planWithReport({
    product: { kind: 'Health & Beauty', staging: 'upright-tall' },
    features: makeFeatures(),
    units: readUnits(words),
    stated: undefined,
    ratio: '1:1',
    preset: { ...aiStudio, lists: 1 },
    seed: 1,
  });
  expect(report?.used.length).toBeGreaterThan(0);
  expect(report?.used.map(({ effect }) => effect).join()).not.toMatch(/^changed /);
  expect(report?.notShown).toEqual([]);
});

it('no chip is suggested twice', () => {
  const all = setChips.flatMap(({ words }) => words);
  expect(new Set(all).size).toBe(all.length);
});
