/** One lexicon of all known prompt words and phrases. */
import { type KindWord, kindWords } from '../product/kind-words.ts';
import { colorEntries, type NamedColor, type Tint, tintEntries } from './color-words.ts';
import { placeWordEntries, roomWordEntry } from './place-words.ts';
import { type HintWord, hintEntries, type PlaceWord, placeEntries } from './scene-words.ts';
import { sceneryWords, uncontrolledWords } from './scenery-words.ts';
import { type SurfaceWord, surfaceEntries } from './surface-words.ts';

export type Lexeme =
  | { readonly type: 'color'; readonly color: NamedColor; readonly standsAfter: boolean }
  | { readonly type: 'tint'; readonly tint: Tint }
  | { readonly type: 'surface'; readonly surface: SurfaceWord }
  | { readonly type: 'place'; readonly place: PlaceWord }
  | { readonly type: 'hint'; readonly hint: HintWord }
  | { readonly type: 'subject'; readonly subject: KindWord }
  /** An object that no set can show. */
  | { readonly type: 'scenery' }
  /** A request about size, number or position, which the planner determines itself. */
  | { readonly type: 'uncontrolled' };

export const isRoom = (lexeme: Lexeme): boolean => lexeme.type === 'hint' && lexeme.hint.isRoom === true;

/** Length of the longest phrase, in words. */
export const longestPhrase = 4;

const germanEndings = ['', 'e', 'er', 'es', 'em', 'en'];
const lexicon = buildLexicon();

function buildLexicon(): ReadonlyMap<string, Lexeme> {
  const found = new Map<string, Lexeme>();
  // A word keeps the first meaning added: English before German before Romance words, set words before product words.
  const add = (word: string, lexeme: Lexeme): void => {
    if (!found.has(word)) found.set(word, lexeme);
  };
  for (const { color, en } of colorEntries) {
    for (const word of en) add(word, { type: 'color', color, standsAfter: false });
  }
  for (const { color, de } of colorEntries) {
    for (const word of de) {
      for (const ending of germanEndings) add(word + ending, { type: 'color', color, standsAfter: false });
    }
  }
  for (const { color, romance } of colorEntries) {
    for (const word of romance) add(word, { type: 'color', color, standsAfter: true });
  }
  for (const [surface, text] of surfaceEntries) {
    for (const word of text.split(',')) add(word, { type: 'surface', surface });
  }
  for (const [place, text] of placeEntries) {
    for (const word of text.split(',')) add(word, { type: 'place', place });
  }
  for (const [hint, text] of hintEntries) {
    for (const word of text.split(',')) add(word, { type: 'hint', hint });
  }
  for (const [places, text] of placeWordEntries) {
    for (const word of text.split(',')) add(word, { type: 'hint', hint: { places } });
  }
  const [rooms, roomText] = roomWordEntry;
  for (const word of roomText.split(',')) add(word, { type: 'hint', hint: { places: rooms, isRoom: true } });
  for (const [tint, text] of tintEntries) {
    for (const word of text.split(',')) add(word, { type: 'tint', tint });
  }
  for (const word of sceneryWords) add(word, { type: 'scenery' });
  for (const word of uncontrolledWords) add(word, { type: 'uncontrolled' });
  for (const [word, subject] of kindWords) add(word, { type: 'subject', subject });
  return found;
}

export function findLexeme(phrase: string): Lexeme | undefined {
  const exact = lexicon.get(phrase);
  if (exact) return exact;
  for (const ending of ['s', 'es', 'n', 'en', 'er']) {
    const stem = phrase.endsWith(ending) ? lexicon.get(phrase.slice(0, -ending.length)) : undefined;
    // "oranges" and "plums" are fruit, not colors.
    if (stem && stem.type !== 'color' && phrase.length - ending.length >= 4) return stem;
  }
  return undefined;
}

/**
 * Splits German compounds: "Holztisch" becomes wood and table, "Kaffeetasse" becomes a cup. Both halves must
 * be known.
 */
export function splitCompound(word: string): readonly Lexeme[] | undefined {
  for (let at = word.length - 3; at >= 4; at--) {
    const first = findLexeme(word.slice(0, at));
    const second = first && findLexeme(word.slice(at));
    if (!second || first.type === 'uncontrolled' || second.type === 'uncontrolled') continue;
    const isThing = second.type === 'subject' || second.type === 'scenery';
    // Short words such as "car" and "pet" end many words that are not compounds.
    if (isThing && word.length - at < 4) continue;
    // The last half is the head: a coffee cup is a cup.
    if (first.type === 'subject' || first.type === 'scenery')
      return isThing ? [second] : [{ type: 'scenery' }];
    return [first, second];
  }
  return undefined;
}
