import { expect, test } from 'vitest';
import { firstChoice } from '../pictures/backdrop-choice.ts';
import { loadWords } from '../shared/words.ts';
import { fixOf, toVerdict } from './verdict.ts';

type Rule = Parameters<typeof toVerdict>[0]['rules'][number];

const source = { url: '', page: '', checkedOn: '', kind: 'official' } as const;
const fill: Rule = {
  ...{ id: 'fill', title: 'The product fills the picture', level: 'required', source },
  ...{ outcome: 'fails', measured: 0.8219, expected: 'at least 85 %' },
};
const corners: Rule = {
  ...fill,
  id: 'corners',
  title: 'Corners are pure white',
  measured: 166,
  expected: 'at least 255',
};
const ring = { ...corners, id: 'ring', measured: 0, expected: 'at least 100 %' };
const zoom: Rule = { ...fill, id: 'size-zoom', title: 'Longest side, for zoom', level: 'advised' };
const small = { ...zoom, measured: 1200, expected: 'at least 1600 px' };
const heavy = {
  ...fill,
  id: 'bytes',
  title: 'File size',
  measured: 5_400_000,
  expected: 'at most 5000000 bytes',
};

const recipe = { recipeId: 'Listing_otto_main', variant: '1:1', margin: 0.06 };
const fix = { ...recipe, path: '/v1/design/generated.jpeg', sizePx: 2000, id: null, remains: [] } as const;
const failing = (...rules: Rule[]) =>
  toVerdict({ marketplace: 'otto', verdict: 'fails', summary: '', notChecked: [], fix, rules });

test('says in words what is wrong, once, and what could be better', () => {
  expect(failing(fill, corners, ring, small, heavy)).toMatchObject({
    reasons: [
      'The product fills 82 %, needs at least 85 %',
      'The background is not pure white',
      'File size: 5.4 MB, needs at most 5 MB',
    ],
    remarks: ['Longest side, for zoom: 1200 px, needs at least 1600 px'],
  });
});

test('says it in the language of the page', async () => {
  await loadWords(['fr']);
  const between = { ...small, expected: '500 px to 1000 px' };
  expect(failing(fill, between, { ...corners, id: 'other', title: 'Unheard of' })).toMatchObject({
    reasons: ['Le produit remplit 82 %, il faut au moins 85 %', 'Unheard of: 166, il faut au moins 255'],
    remarks: ['Côté le plus long, pour le zoom: 1200 px, il faut entre 500 px et 1000 px'],
  });
  await loadWords(['en']);
});

test('shows a share that just misses its limit as less than the limit', () => {
  expect(failing({ ...fill, measured: 0.8497 }).reasons).toEqual([
    'The product fills 84.9 %, needs at least 85 %',
  ]);
});

test('a product that is only too small gets a smaller margin, and all else the recipe of the marketplace', () => {
  const sage = { ...firstChoice, chosen: '0042', adjust: { layout: { margin: 0.09, scale: 0.8 } } };
  const larger = { ...sage, adjust: { layout: { margin: 0.06 } } };
  expect(fixOf(sage, [failing(fill)])).toEqual({ adjust: larger.adjust });
  // On a ground line, that margin may not have been enough.
  expect(fixOf(larger, [failing(fill)])).toMatchObject({ chosen: recipe.recipeId });
  expect(fixOf(sage, [failing(fill), failing(corners)])).toMatchObject({ chosen: recipe.recipeId });
  expect(fixOf({ ...sage, chosen: recipe.recipeId }, [failing(corners)])).toBeNull();
});

test('the recipe of the marketplace leaves the product straight and its outline trimmed', () => {
  const adjust = { layout: { rotate: 3, margin: 0.02, x: 0.4 }, edge: { shrinkPx: 1 } };
  expect(fixOf({ ...firstChoice, adjust }, [failing(corners)])).toEqual({
    chosen: recipe.recipeId,
    variant: recipe.variant,
    adjust: { layout: { rotate: 3 }, edge: { shrinkPx: 1 } },
  });
});
