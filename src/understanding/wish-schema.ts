/** What a language model may ask of a set: the dictionary's own vocabulary. */

import { dictionary, moods, productKinds, shapesOf } from 'packshot-sets';
import { gobos, stagings } from 'packshot-studio';
import { z } from 'zod';

const tints = dictionary.tints.map(({ name }) => name);
const colorNames = dictionary.colors.map(({ name }) => name);
const surfaceNames = dictionary.materials.map(({ tag }) => tag);
const tags = dictionary.concepts.map(({ tag }) => tag);
const things = dictionary.concepts.filter((concept) => shapesOf(concept).length > 0).map(({ tag }) => tag);

/** Omitted or invented values count as unanswered. */
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values).nullable().catch(null);
const someOf = <const T extends readonly string[]>(values: T) => z.array(oneOf(values)).catch([]);
const line = z.string().catch('');

const part = z
  .object({ tint: oneOf(tints), color: oneOf(colorNames), material: oneOf(surfaceNames) })
  .catch({ tint: null, color: null, material: null });

export const wishSchema = z.object({
  wall: part.describe('the background'),
  floor: part.describe('the ground, a table'),
  stand: part.describe('what the product stands on above the ground'),
  accent: part.describe('props and small parts; a metal color makes them metal'),
  shows: someOf(tags).describe(
    'stands, props, places, light and styles that the prompt names, most important first; the nearest one of the list',
  ),
  unwanted: someOf(things).describe('things that must not be there'),
  pattern: oneOf(gobos).describe('the pattern that the light casts; none for "no shadows"'),
  light: oneOf(['warm', 'cool']).describe('warm for evening, autumn, cosy; cool for fresh, winter, clinical'),
  mood: oneOf(moods),
  kind: oneOf(productKinds).describe('shop category of the product, from its picture and the prompt'),
  staging: oneOf(stagings.filter((name) => name !== 'hung')).describe('how the product wants to be set up'),
  notDrawn: z
    .array(z.string())
    .catch([])
    .describe('words of the prompt, as written, for things or places that no field can express'),
  titleOfWords: line.describe('heading for scenes made from the prompt; its language, 40 characters'),
  titleOfPicked: line.describe('heading for scenes picked for the product; same language, 40 characters'),
  englishPrompt: line.describe('the set in one English sentence, without the product; 300 characters'),
});
export type Wish = z.output<typeof wishSchema>;
