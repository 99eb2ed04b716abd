import { expect, test } from 'vitest';
import {
  type BackdropChoice,
  backdropOf,
  choiceFor,
  firstChoice,
  lookOf,
  ownBackdrop,
  readChoice,
  savedChoice,
} from './backdrop-choice.ts';

const shown: BackdropChoice = { ...firstChoice, adjust: { layout: { margin: 0.1, rotate: 2, x: 0.3 } } };
const own: BackdropChoice = { ...firstChoice, adjust: { layout: { rotate: -4, y: 0.6 } } };

test('a look for many photos leaves each one turned and placed as it was by hand', () => {
  expect(choiceFor(own, shown, { chosen: '0042' })).toEqual({
    ...firstChoice,
    chosen: '0042',
    adjust: { layout: { margin: 0.1, rotate: -4, y: 0.6 } },
  });
  expect(choiceFor(firstChoice, { ...firstChoice, adjust: { layout: { rotate: 2 } } }, {})).toEqual(
    firstChoice,
  );
});

test('all photos turn or move if that is what was changed', () => {
  const layout = { ...shown.adjust?.layout, rotate: 0.5 };
  expect(choiceFor(own, shown, { adjust: { layout } }).adjust).toEqual({
    layout: { margin: 0.1, rotate: 0.5, y: 0.6 },
  });
  const onLine = { ...layout, align: 'baseline', x: undefined, y: undefined } as const;
  expect(choiceFor(own, shown, { adjust: { layout: onLine } }).adjust).toEqual({
    layout: { margin: 0.1, rotate: 0.5, align: 'baseline' },
  });
  expect(choiceFor(own, shown, { adjust: {} }).adjust).toEqual({});
});

test('a saved look replaces the choices that it was saved from, straight and trimmed as they were', () => {
  const look = { id: 'look_1', title: 'Spring', variants: ['1:1'] };
  const choice: BackdropChoice = {
    ...{ ...firstChoice, chosen: ownBackdrop, images: { primaryIllustration: { uri: 'illustration:1' } } },
    adjust: { shadow: { kind: 'contact' }, edge: { shrinkPx: 1 } },
  };
  const from = lookOf(choice, []);
  const turned = choiceFor({ ...own, adjust: { layout: { rotate: 2 } } }, choice, {});
  const saved = savedChoice(turned, look, from, [])!;
  expect(saved.lookTitle).toBe('Spring');
  expect(backdropOf(saved, [])).toEqual({
    ...{ recipeId: 'look_1', variant: '1:1', title: 'Spring' },
    mutations: { layout: { rotate: 2 }, edge: { shrinkPx: 1 } },
  });
  expect(savedChoice({ ...choice, variant: '4:5' }, look, from, [])).toBeNull();
});

test('takes over what earlier versions of the page stored', () => {
  const stored = { ...firstChoice, margin: 0.2, shadow: 'cast', align: 'baseline' };
  expect(readChoice(stored)).toEqual({
    ...firstChoice,
    adjust: { layout: { margin: 0.2, align: 'baseline' }, shadow: { kind: 'cast' } },
  });
  const plain = { ...firstChoice, margin: null, shadow: 'own', align: 'own' };
  expect(readChoice(plain)).toEqual(firstChoice);
  expect(readChoice(shown)).toBe(shown);
});
