/** The dictionary of prompts: words in five languages for colors, materials, parts of a set, light, moods and places. */
import { readFileSync } from 'node:fs';
import { clamp } from 'packshot-pixels';
import { gobos, type Material, materials, type Shape, shapes } from 'packshot-studio';
import { z } from 'zod';
import { moods, parts, type WantedColor } from './color-wish.ts';
import { type KindWord, kindWords } from './product/kind-words.ts';

const languages = ['en', 'de', 'fr', 'es', 'it'] as const;
type Language = (typeof languages)[number];

/** Comma-separated words and phrases, in lower case and without accents. */
const words = z.strictObject(
  Object.fromEntries(languages.map((language) => [language, z.string().optional()])) as Record<
    Language,
    z.ZodOptional<z.ZodString>
  >,
);
const shape = z.enum(shapes);

const conceptSchema = z.strictObject({
  /** The tag that sets and places carry. */
  tag: z.string(),
  /** The part of a set that colors and materials beside the word belong to. */
  part: z.enum(parts).optional(),
  /** Name of the group of props in `props.json` that the word adds. */
  prop: z.string().optional(),
  pattern: z.enum(gobos).optional(),
  warmth: z.enum(['warm', 'cool']).optional(),
  mood: z.enum(moods).optional(),
  /** Whether it names a time of the day, which matters less than a thing or a place. */
  time: z.literal(true).optional(),
  /** What must be large enough in a picture for the word to count as shown; default nothing but the tag. */
  shows: z
    .strictObject({
      shape: z.union([shape, z.array(shape)]).optional(),
      stand: z.enum(['cylinder', 'box', 'stone']).optional(),
      material: z.enum(materials).optional(),
      relief: z.enum(['dune', 'drape', 'ripples']).optional(),
      ground: z.literal(true).optional(),
      wall: z.literal(true).optional(),
      sweep: z.literal(true).optional(),
      flat: z.literal(true).optional(),
      place: z.literal(true).optional(),
    })
    .optional(),
  words,
});
export type Concept = Readonly<z.infer<typeof conceptSchema>>;

const materialSchema = z.strictObject({
  tag: z.string(),
  material: z.enum(materials),
  colors: z.array(z.string()).default([]),
  words,
});
export type MaterialWord = Readonly<z.infer<typeof materialSchema>>;

const tintSchema = z.strictObject({
  name: z.string(),
  lighten: z.number(),
  strengthen: z.number(),
  /** Asked for if the word stands beside neither a color nor a material. */
  mood: z.enum(moods).optional(),
  words,
});
export type Tint = Readonly<z.infer<typeof tintSchema>>;

const fileSchema = z.strictObject({
  colors: z.array(
    z.strictObject({
      name: z.string(),
      oklch: z.tuple([z.number(), z.number(), z.number()]),
      metal: z.boolean().default(false),
      words,
    }),
  ),
  tints: z.array(tintSchema),
  materials: z.array(materialSchema),
  parts: z.array(z.strictObject({ part: z.enum(parts), words })),
  concepts: z.array(conceptSchema),
  notShown: words,
  grammar: z.record(z.string(), z.string()),
});

const file = fileSchema.parse(
  JSON.parse(readFileSync(new URL('./data/words.json', import.meta.url), 'utf8')),
);

export type Meaning =
  | { readonly type: 'color'; readonly color: WantedColor; readonly standsAfter: boolean }
  | { readonly type: 'tint'; readonly tint: Tint }
  | { readonly type: 'material'; readonly material: MaterialWord }
  | { readonly type: 'part'; readonly part: (typeof parts)[number] }
  | { readonly type: 'concept'; readonly concept: Concept }
  | { readonly type: 'product'; readonly product: KindWord }
  /** A thing that no picture can show. */
  | { readonly type: 'thing' }
  /** Size, number or position, which the fitter decides. */
  | { readonly type: 'uncontrolled' };

const split = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const colors = file.colors.map(
  ({ name, oklch: [l, c, h], metal }): WantedColor => ({ name, l, c, h, isMetal: metal }),
);

export const dictionary = { ...file, colors } as const;

const germanEndings = ['', 'e', 'er', 'es', 'em', 'en'];
/** Languages whose colors follow their noun. */
const romance: readonly Language[] = ['fr', 'es', 'it'];
const lexicon = buildLexicon();

/** A word keeps the first meaning added: English before other languages, phrases of a set before products. */
function buildLexicon(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, Meaning>();
  const add = (text: string | undefined, meaning: Meaning, endings: readonly string[] = ['']): void => {
    for (const word of split(text)) {
      for (const ending of endings) if (!found.has(word + ending)) found.set(word + ending, meaning);
    }
  };
  for (const language of languages) {
    const endings = language === 'de' ? germanEndings : undefined;
    const standsAfter = romance.includes(language);
    for (const [index, { words }] of file.colors.entries())
      add(words[language], { type: 'color', color: colors[index]!, standsAfter }, endings);
    for (const tint of file.tints) add(tint.words[language], { type: 'tint', tint }, endings);
    for (const material of file.materials)
      add(material.words[language], { type: 'material', material }, endings);
    for (const { part, words } of file.parts) add(words[language], { type: 'part', part });
    for (const concept of file.concepts) add(concept.words[language], { type: 'concept', concept }, endings);
    add(file.notShown[language], { type: 'thing' });
  }
  add(file.grammar.uncontrolled, { type: 'uncontrolled' });
  for (const [word, product] of kindWords) add(word, { type: 'product', product });
  return found;
}

/** Length of the longest phrase, in words. */
export const longestPhrase = Math.max(...[...lexicon.keys()].map((word) => word.split(' ').length));

export function findMeaning(phrase: string): Meaning | undefined {
  const exact = lexicon.get(phrase);
  if (exact) return exact;
  for (const ending of ['s', 'es', 'n', 'en', 'er']) {
    const stem = phrase.endsWith(ending) ? lexicon.get(phrase.slice(0, -ending.length)) : undefined;
    // "Oranges" and "plums" are fruit, not colors.
    if (stem && stem.type !== 'color' && phrase.length - ending.length >= 4) return stem;
  }
  return undefined;
}

/** Splits a German compound such as "Holztisch"; both halves must be known. */
export function splitCompound(word: string): readonly Meaning[] {
  for (let at = word.length - 3; at >= 4; at--) {
    const halves = [word.slice(0, at), word.slice(at)].map(findMeaning);
    const [first, second] = halves;
    if (!first || !second || first.type === 'uncontrolled' || second.type === 'uncontrolled') continue;
    const isThing = second.type === 'product' || second.type === 'thing';
    // Short words such as "car" end many words that are no compounds.
    if (isThing && word.length - at < 4) continue;
    // The last half is the head: a coffee cup is a cup.
    if (first.type === 'product' || first.type === 'thing') return isThing ? [second] : [{ type: 'thing' }];
    return [first, second];
  }
  return [];
}

const grammar = (name: string): ReadonlySet<string> => new Set(split(file.grammar[name]));
export const conjunctions = grammar('conjunctions');
export const negations = grammar('negations');
export const shadows = grammar('shadows');
export const links = grammar('links');
export const breaks: ReadonlySet<string> = new Set([...conjunctions, ...grammar('breaks')]);
export const possessives = grammar('possessives');
export const pictures = grammar('pictures');
export const productWords = grammar('products');
export const fillers: ReadonlySet<string> = new Set([
  ...grammar('fillers'),
  ...possessives,
  ...pictures,
  ...productWords,
  ...shadows,
]);

const concepts = new Map(file.concepts.map((concept) => [concept.tag, concept]));
const materialsByTag = new Map(file.materials.map(({ tag, material }) => [tag, material]));
export const conceptOf = (tag: string): Concept | undefined => concepts.get(tag);
export const materialOf = (tag: string): Material | undefined => materialsByTag.get(tag);

/** Whether sets and places may carry the tag. */
export const isTag = (tag: string): boolean =>
  concepts.has(tag) || materialsByTag.has(tag) || colors.some(({ name }) => name === tag);
export const shapesOf = ({ shows }: Concept): readonly Shape[] => [shows?.shape ?? []].flat();

export function tintColor(color: WantedColor, tint: Tint | undefined): WantedColor {
  if (!tint) return color;
  return { ...color, l: clamp(color.l + tint.lighten, 0.2, 0.96), c: color.c * tint.strengthen };
}
