/** Splits a prompt into its content words, each with its meanings and its role in the sentence. */
import {
  breaks,
  conjunctions,
  fillers,
  findMeaning,
  links,
  longestPhrase,
  type Meaning,
  negations,
  pictures,
  possessives,
  productWords,
  shadows,
  splitCompound,
} from './dictionary.ts';

export interface PromptUnit {
  /** As typed, with its negation. */
  readonly text: string;
  /** Empty for unknown words; two for a German compound. */
  readonly meanings: readonly Meaning[];
  /** Punctuation and prepositions separate phrases. */
  readonly phrase: number;
  /** Preceded by a link such as "in" or "of". */
  readonly linked: boolean;
  readonly negated: boolean;
  /** Follows a preposition: "next to a sofa". */
  readonly located: boolean;
  /** The prompt says that it is the product: "my sneaker", "photo of a sofa". */
  readonly stated: boolean;
}

/** The API's limit, in characters; longer prompts are rejected before they get here. */
const maxPromptLength = 1000;

interface Part {
  readonly text: string;
  readonly start: number;
  /** Lower case, without accents. */
  readonly plain: string;
}

export function readUnits(prompt: string): PromptUnit[] {
  const words = splitWords(prompt.slice(0, maxPromptLength));
  const units: PromptUnit[] = [];
  const sentence = openSentence();
  let negation: number | undefined;
  for (let at = 0; at < words.length; ) {
    const [first] = [words[at]!];
    const count = Math.max(1, longestAt(words, at));
    const last = words[at + count - 1]!;
    const { negated } = sentence.state;
    const isNoShadow = negated && shadows.has(first.plain);
    const meanings = isNoShadow ? plainLight : meaningsAt(words, at, count);
    at += count;
    if (meanings.length === 0 && (count > 1 || sentence.takeFunctionWord(first.plain))) {
      if (negations.has(first.plain)) negation = first.start;
      continue;
    }
    const start = (negated ? negation : undefined) ?? first.start;
    negation = undefined;
    const text = prompt.slice(start, last.start + last.text.length);
    // "No shadows" asks for plain light, and this is not negated.
    units.push({ ...sentence.state, text, meanings, negated: negated && !isNoShadow });
    sentence.state.linked = false;
  }
  return units;
}

const plainLight = [findMeaning('soft light')!];

function meaningsAt(words: readonly Part[], at: number, count: number): readonly Meaning[] {
  const { plain } = words[at]!;
  const isFunction = breaks.has(plain) || links.has(plain) || negations.has(plain);
  if (isFunction && count === 1) return [];
  const known = findMeaning(phraseAt(words, at, count));
  return known ? [known] : splitCompound(plain);
}

function splitWords(prompt: string): Part[] {
  // "Valentine's" is one word; "l'arche" is two.
  const found = prompt.matchAll(
    /[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number}]*(?:['’]s\b)?|[.,;:!?()/&+–—、。，\n]/gu,
  );
  return [...found].map(({ 0: text, index }) => ({ text, start: index, plain: toPlain(text) }));
}

export const toPlain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '');

const phraseAt = (words: readonly Part[], at: number, count: number): string =>
  words
    .slice(at, at + count)
    .map(({ plain }) => plain)
    .join(' ');

/** Length of the longest known phrase that starts here, in words; 0 if none has at least two. */
function longestAt(words: readonly Part[], at: number): number {
  for (let count = Math.min(longestPhrase, words.length - at); count > 1; count--) {
    if (findMeaning(phraseAt(words, at, count))) return count;
  }
  return 0;
}

const pictureLinks: ReadonlySet<string> = new Set(['of', 'von', 'de', 'd', 'di', 'do', 'da']);
const verbs: ReadonlySet<string> = new Set(['is', 'ist', 'est', 'es', 'e']);
const isIdeograph = (word: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);

/** Tracks phrase boundaries, negation, and which noun the prompt says is the product. */
function openSentence() {
  const state = { phrase: 0, linked: false, negated: false, located: false, stated: false };
  let before = '';
  let isPicture = false;
  let isProduct = false;
  const openPhrase = (opener: string): void => {
    const isConjunction = conjunctions.has(opener);
    state.phrase++;
    state.linked = false;
    // "No plants and stones" refuses both.
    state.negated = state.negated && isConjunction;
    state.stated = opener === ':' && isProduct;
    // "Next to a chair and a sofa": the preposition also applies after the "and".
    if (!isConjunction) state.located = breaks.has(opener);
    isPicture = false;
    isProduct = false;
  };
  const takeLink = (word: string): void => {
    state.linked = true;
    state.stated = (isPicture && pictureLinks.has(word)) || (isProduct && verbs.has(word));
  };
  /** True for words without content. */
  function takeFunctionWord(word: string): boolean {
    const previous = before;
    before = word;
    if (negations.has(word)) state.negated = true;
    else if (links.has(word)) takeLink(word);
    else if (breaks.has(word) || /^[^\p{Letter}\p{Number}]$/u.test(word)) openPhrase(word);
    else if (possessives.has(word)) state.stated = !state.located && !(links.has(previous) && !state.stated);
    else if (fillers.has(word) || /^\d+$/.test(word) || (word.length < 2 && !isIdeograph(word))) {
      isPicture ||= pictures.has(word);
      isProduct ||= productWords.has(word);
    } else return false;
    return true;
  }
  return { state, takeFunctionWord };
}
