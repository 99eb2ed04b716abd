import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BackdropChoice, backdropOf, firstChoice } from '../pictures/backdrop-choice.ts';
import { newPhoto, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { dressAll, forgetLook, readSettings } from './settings.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  stored.clear();
});

const dressOf = (choice: BackdropChoice) => ({ choice, look: backdropOf(choice, []) });

function queueOf(...choices: BackdropChoice[]) {
  const photos = choices.map((choice) => newPhoto(new File([], 'a.jpg'), 'Shoes', dressOf(choice)));
  const change = (key: string, next: Partial<Photo>) => {
    const at = photos.findIndex((photo) => photo.key === key);
    photos[at] = { ...photos[at]!, ...next };
  };
  return { photos: () => photos, change } as unknown as PhotoQueue;
}

const turned = (rotate: number, choice = firstChoice): BackdropChoice => ({
  ...choice,
  adjust: { layout: { rotate } },
});

test('one photo’s look for all keeps how each is straightened, and later photos get neither turn nor place', () => {
  const queue = queueOf(turned(5), firstChoice);
  const adjust = { layout: { margin: 0.1, rotate: 2, x: 0.4 } };
  dressAll(queue, 'Shoes', dressOf({ ...firstChoice, chosen: '0042', adjust }));
  const [first, second] = queue.photos();
  expect(first?.choice.adjust).toEqual({ layout: { margin: 0.1, rotate: 5, x: 0.4 } });
  expect(first?.look).toMatchObject({ recipeId: 'Solid1_1_0042', mutations: first?.choice.adjust });
  expect(second?.look.mutations).toEqual({ layout: { margin: 0.1, x: 0.4 } });
  const { choice, look } = readSettings();
  expect(choice.adjust).toEqual({ layout: { margin: 0.1 } });
  expect(look).toMatchObject({ recipeId: 'Solid1_1_0042', mutations: { layout: { margin: 0.1 } } });
});

test('a deleted look leaves its photos on white, and all others as they are', () => {
  const spring = { ...firstChoice, chosen: 'look_1' };
  const queue = queueOf(turned(5, spring), { ...firstChoice, chosen: '0042' });
  const [, other] = queue.photos();
  stored.set('packshot.photos', JSON.stringify(dressOf(spring)));
  forgetLook(queue, 'look_1', []);
  const [photo, same] = queue.photos();
  expect(photo?.choice).toEqual(turned(5));
  expect(photo?.look).toMatchObject({ recipeId: 'Solid1_1_0035', mutations: { layout: { rotate: 5 } } });
  expect(same).toBe(other);
  expect(readSettings().choice).toEqual(firstChoice);
});
