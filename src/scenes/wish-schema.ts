/**
 * What a language model may request of a set: the values of the built-in vocabulary, with their descriptions.
 */
import { z } from 'zod';
import { placeNames } from '../studio/places/place-names.ts';
import { compositions, gobos, shapes, stagings } from '../studio/scene-plan.ts';
import { places } from './places/place-facts.ts';
import { productKinds } from './product/product-kinds.ts';
import { colorEntries } from './prompt/color-words.ts';
import type { Mood, Place } from './prompt/scene-words.ts';
import { surfaceEntries } from './prompt/surface-words.ts';

export const parts = ['wall', 'floor', 'pedestal', 'accent'] as const satisfies readonly Place[];
const moods = ['dark', 'bold', 'pastel', 'minimal', 'natural'] as const satisfies readonly Mood[];
/** Words of the built-in lexicon, which defines their colors and materials. */
const tints = ['light', 'pale', 'dark', 'vivid', 'muted'] as const;
const colorNames = colorEntries.map(({ color }) => color.name);
const surfaceNames = surfaceEntries.map(([, words]) => words.split(',')[0]!);

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
  pedestal: part.describe('what the product stands on above the ground'),
  accent: part.describe('props and small parts; a metal color makes them metal'),
  composition: oneOf(compositions).describe('the kind of set; flatlay is seen from above'),
  gobo: oneOf(gobos).describe('the pattern that the light casts; none for "no shadows"'),
  place: oneOf(placeNames).describe(
    `a photographed place, blurred behind the product, where the prompt names one that comes near; only with a table or without a composition: ${placeNames.map((name) => `${name} is ${places[name].title}`).join(', ')}`,
  ),
  light: oneOf(['warm', 'cool']).describe('warm for evening, autumn, cosy; cool for fresh, winter, clinical'),
  mood: oneOf(moods),
  shapes: someOf(shapes).describe('things to put into the set'),
  unwanted: someOf(shapes).describe('things that must not be there'),
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
