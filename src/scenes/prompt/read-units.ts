/** Splits a prompt into content words, each with its lexicon entries and its role in the sentence. */
import { findLexeme, type Lexeme, longestPhrase, splitCompound } from './lexicon.ts';
import {
  breaks,
  conjunctions,
  fillers,
  links,
  negations,
  pictureWords,
  possessives,
  productWords,
  shadowWords,
} from './scene-words.ts';

export interface PromptUnit {
  /** As typed. */
  readonly text: string;
  /** The text between this unit and the previous one, as typed. */
  readonly before: string;
  /** Empty for unknown words; two for a German compound. */
  readonly lexemes: readonly Lexeme[];
  /** Index of the unit's phrase; punctuation and the words in `breaks` separate phrases. */
  readonly phrase: number;
  /** Preceded by a link such as "in" or "of". */
  readonly linked: boolean;
  readonly negated: boolean;
  /** The unit's phrase follows a preposition: "next to a sofa". */
  readonly located: boolean;
  /** The prompt says that the unit is the product: "my sneaker", "photo of a sofa". */
  readonly stated: boolean;
}

/** The API's limit, in characters; longer prompts are rejected before they get here. */
const maxPromptLength = 1000;

interface Part {
  readonly text: string;
  readonly start: number;
  /** Lower case, without accents; punctuation unchanged. */
  readonly plain: string;
}

export function readUnits(prompt: string): PromptUnit[] {
  const parts = splitParts(prompt.slice(0, maxPromptLength));
  const units: PromptUnit[] = [];
  const sentence = createSentence();
  let end = 0;
  let negation: number | undefined;
  for (let at = 0; at < parts.length; ) {
    const count = Math.max(1, phraseLengthAt(parts, at));
    const [first, last] = [parts[at]!, parts[at + count - 1]!];
    const lexemes = lexemesAt(parts, at, count, sentence.state.negated);
    at += count;
    if (lexemes.length === 0 && (count > 1 || sentence.takeFunctionWord(first.plain))) {
      if (negations.has(first.plain)) negation = first.start;
      continue;
    }
    // Include the negation: "no plants" was typed, not "plants".
    const start = (sentence.state.negated ? negation : undefined) ?? first.start;
    negation = undefined;
    const text = prompt.slice(start, last.start + last.text.length);
    const { phrase, linked, negated, located, stated } = sentence.state;
    // "No shadows" requests plain light, and this request is not negated.
    const isNoShadow = negated && shadowWords.has(first.plain);
    const before = prompt.slice(end, start);
    end = start + text.length;
    units.push({ text, before, lexemes, phrase, linked, negated: negated && !isNoShadow, located, stated });
    sentence.state.linked = false;
  }
  return units;
}

const plainLight: Lexeme = { type: 'hint', hint: { gobo: 'none' } };

function lexemesAt(parts: readonly Part[], at: number, count: number, negated: boolean): readonly Lexeme[] {
  const { plain } = parts[at]!;
  if (negated && shadowWords.has(plain)) return [plainLight];
  if (isFunctionWord(plain)) return count > 1 ? [findLexeme(phraseAt(parts, at, count))!] : [];
  const known = findLexeme(phraseAt(parts, at, count));
  return known ? [known] : (splitCompound(plain) ?? []);
}

const isFunctionWord = (word: string): boolean => breaks.has(word) || links.has(word) || negations.has(word);

function splitParts(prompt: string): Part[] {
  // "Valentine's" is one word; "l'arche" is two.
  const found = prompt.matchAll(
    /[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number}]*(?:['’]s\b)?|[.,;:!?()/&+–—、。，\n]/gu,
  );
  return [...found].map(({ 0: text, index }) => ({ text, start: index, plain: toPlain(text) }));
}

function toPlain(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '');
}

const phraseAt = (parts: readonly Part[], at: number, count: number): string =>
  parts
    .slice(at, at + count)
    .map(({ plain }) => plain)
    .join(' ');

/** Length of the longest lexicon phrase that starts here, in words; 0 if none has at least two words. */
function phraseLengthAt(parts: readonly Part[], at: number): number {
  for (let count = Math.min(longestPhrase, parts.length - at); count > 1; count--) {
    if (findLexeme(phraseAt(parts, at, count))) return count;
  }
  return 0;
}

interface SentenceState {
  phrase: number;
  linked: boolean;
  negated: boolean;
  located: boolean;
  stated: boolean;
}

/** Tracks function words: phrase boundaries, negation, and which noun the prompt says is the product. */
function createSentence() {
  const state: SentenceState = { phrase: 0, linked: false, negated: false, located: false, stated: false };
  let before = '';
  let isPicture = false;
  let isProduct = false;
  const openPhrase = (opener: string): void => {
    state.phrase++;
    state.linked = false;
    state.negated = false;
    state.stated = opener === ':' && isProduct;
    // "Next to a chair and a sofa": the preposition also applies after the "and".
    if (!conjunctions.has(opener)) state.located = breaks.has(opener);
    isPicture = false;
    isProduct = false;
  };
  const takeLink = (word: string): void => {
    state.linked = true;
    state.stated = (isPicture && pictureLinks.has(word)) || (isProduct && verbs.has(word));
  };
  /** Returns true for words without content. */
  function takeFunctionWord(word: string): boolean {
    const previous = before;
    before = word;
    if (negations.has(word)) state.negated = true;
    else if (links.has(word)) takeLink(word);
    else if (breaks.has(word) || /^[^\p{Letter}\p{Number}]$/u.test(word)) openPhrase(word);
    else if (possessives.has(word)) state.stated = !state.located && !(links.has(previous) && !state.stated);
    else if (fillers.has(word) || /^\d+$/.test(word) || (word.length < 2 && !isIdeograph(word))) {
      isPicture ||= pictureWords.has(word);
      isProduct ||= productWords.has(word);
    } else return false;
    return true;
  }
  return { state, takeFunctionWord };
}

const pictureLinks: ReadonlySet<string> = new Set(['of', 'von', 'de', 'd', 'di', 'do', 'da']);
const verbs: ReadonlySet<string> = new Set(['is', 'ist', 'est', 'es']);

const isIdeograph = (word: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);
