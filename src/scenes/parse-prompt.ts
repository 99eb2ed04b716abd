/** Reads a prompt without a model: which colours, materials, light and things it asks for, and which words it cannot use. */
import { clamp, type Oklch } from './oklch.ts';
import type { KindWord } from './product/kind-words.ts';
import type { NamedColor, Tint } from './prompt/color-words.ts';
import { findLexeme, type Lexeme, longestPhrase, splitCompound } from './prompt/lexicon.ts';
import { breaks, fillers, links, type Mood, negations, type Place } from './prompt/scene-words.ts';
import type { Composition, GoboKind, Material, Shape } from './scene-plan.ts';

export interface SpokenColor extends Oklch {
  /** The English name of the colour, without its tint. */
  readonly name: string;
  readonly isMetal: boolean;
}

export interface SpokenMaterial {
  readonly material: Material;
  /** `#RRGGBB`, base then second colour; empty takes the material's own. */
  readonly colors: readonly string[];
  /** "dark walnut": added to the lightness of the material's own colours, -0.2 to 0.1. */
  readonly lighten: number;
}

export interface PromptReading {
  /** A colour that no noun claimed is the wall's; a second one, or a metal, the accent's. */
  readonly colors: Readonly<Partial<Record<Place, SpokenColor>>>;
  /** `any`: asked for, but for no part of the set in particular; its colour, if one was said, is `materialColor`. */
  readonly materials: Readonly<Partial<Record<Place | 'any', SpokenMaterial>>>;
  readonly materialColor: SpokenColor | undefined;
  readonly composition: Composition | undefined;
  readonly gobo: GoboKind | undefined;
  readonly light: 'warm' | 'cool' | undefined;
  readonly mood: Mood | undefined;
  /** Things to put into the set. */
  readonly shapes: readonly Shape[];
  /** Things that must not be there. */
  readonly unwanted: readonly Shape[];
  /** The product, where the prompt names it. */
  readonly subject: KindWord | undefined;
  /** In the order said, lower case, without accents. */
  readonly understood: readonly string[];
  readonly ignored: readonly string[];
}

/** The contract's limit, in characters; what is longer was refused before. */
const maxPromptLength = 1000;
/** A report is for reading: more ignored words than this say the same. */
const maxIgnoredWords = 40;

interface Token {
  readonly lexeme: Lexeme;
  readonly word: string;
  /** Tokens of one phrase between breaks. */
  readonly phrase: number;
  /** A link such as "in" or "of" stands before it. */
  readonly linked: boolean;
  readonly negated: boolean;
}

export function parsePrompt(prompt: string): PromptReading {
  const { tokens, ignored } = readTokens(prompt);
  const wanted = tokens.filter(({ negated }) => !negated);
  const refused = tokens.filter(({ negated }) => negated);
  const bound = bindAttributes(wanted);
  const hints = wanted.flatMap(({ lexeme }) => (lexeme.type === 'hint' ? [lexeme.hint] : []));
  const refusedHints = refused.flatMap(({ lexeme }) => (lexeme.type === 'hint' ? [lexeme.hint] : []));
  const noGobo =
    refusedHints.some(({ gobo }) => gobo) ||
    /\b(no|without|ohne|sans|sin) (hard )?(shadows?|schatten|ombres?|sombras?)\b/i.test(prompt);
  const shapes = wanted.flatMap(({ lexeme }) =>
    lexeme.type === 'place' && lexeme.place.shape
      ? [lexeme.place.shape]
      : lexeme.type === 'hint'
        ? (lexeme.hint.shapes ?? [])
        : [],
  );
  return {
    ...bound,
    composition: chooseComposition(wanted, bound.materials.any !== undefined),
    gobo: noGobo ? 'none' : hints.find(({ gobo }) => gobo)?.gobo,
    light: hints.find(({ light }) => light)?.light,
    mood: hints.find(({ mood }) => mood)?.mood ?? bound.mood,
    shapes: [...new Set(shapes)],
    unwanted: [...new Set(refused.flatMap(({ lexeme }) => unwantedShapes(lexeme)))],
    subject: wanted.flatMap(({ lexeme }) => (lexeme.type === 'subject' ? [lexeme.subject] : []))[0],
    understood: [...new Set(tokens.map(({ word }) => word))],
    ignored,
  };
}

function unwantedShapes(lexeme: Lexeme): Shape[] {
  if (lexeme.type === 'hint') return [...(lexeme.hint.shapes ?? [])];
  if (lexeme.type !== 'place') return [];
  const { place, shape } = lexeme.place;
  if (shape === 'branch') return ['branch', 'olive', 'palm', 'monstera', 'pampas'];
  if (shape) return [shape];
  // "No props" means none at all.
  return place === 'accent'
    ? ['sphere', 'disc', 'arch', 'panel', 'petals', 'stone', 'branch', 'palm', 'box', 'cylinder']
    : [];
}

function readTokens(prompt: string): { tokens: Token[]; ignored: string[] } {
  const text = prompt
    .slice(0, maxPromptLength)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '');
  const parts = text.match(/[\p{Letter}\p{Number}]+|[.,;:!?()/\n]/gu) ?? [];
  const tokens: Token[] = [];
  const ignored = new Set<string>();
  let phrase = 0;
  let linked = false;
  let negated = false;
  const breakPhrase = (): void => {
    phrase++;
    linked = false;
    negated = false;
  };
  for (let at = 0; at < parts.length; ) {
    const part = parts[at]!;
    const length = phraseLengthAt(parts, at);
    const word = parts.slice(at, at + Math.max(1, length)).join(' ');
    at += Math.max(1, length);
    const lexemes = length > 0 ? [findLexeme(word)!] : (splitCompound(part) ?? []);
    if (lexemes.length > 0) {
      for (const lexeme of lexemes) tokens.push({ lexeme, word, phrase, linked, negated });
      linked = false;
    } else if (negations.has(part)) negated = true;
    else if (links.has(part)) linked = true;
    else if (breaks.has(part) || /^[^\p{Letter}\p{Number}]$/u.test(part)) breakPhrase();
    else if (!fillers.has(part) && !/^\d+$/.test(part) && part.length > 1) ignored.add(part.slice(0, 40));
  }
  return { tokens, ignored: [...ignored].slice(0, maxIgnoredWords) };
}

/** Words of the longest phrase of the lexicon that begins here; 0 when none does. */
function phraseLengthAt(parts: readonly string[], at: number): number {
  for (let length = longestPhrase; length > 1; length--) {
    const words = parts.slice(at, at + length);
    if (words.length === length && findLexeme(words.join(' '))) return length;
  }
  const part = parts[at]!;
  if (breaks.has(part) || links.has(part) || negations.has(part)) return 0;
  return findLexeme(part) ? 1 : 0;
}

/** Which part of the set a word names, if it names one that can be coloured. `none` for the product itself. */
function headOf({ lexeme }: Token): Place | 'none' | undefined {
  if (lexeme.type === 'place') return lexeme.place.place;
  if (lexeme.type === 'subject') return 'none';
  return undefined;
}

interface Bound {
  readonly colors: Partial<Record<Place, SpokenColor>>;
  readonly materials: Partial<Record<Place | 'any', SpokenMaterial>>;
  materialColor: SpokenColor | undefined;
  mood: Mood | undefined;
}

function bindAttributes(tokens: readonly Token[]): Bound {
  const bound: Bound = { colors: {}, materials: {}, materialColor: undefined, mood: undefined };
  const loose: SpokenColor[] = [];
  tokens.forEach((token, index) => {
    const { lexeme } = token;
    const before = neighbour(tokens, index, -1);
    if (lexeme.type === 'tint') {
      const next = neighbour(tokens, index, 1)?.lexeme.type;
      const tints = next === 'color' || next === 'surface' || before?.lexeme.type === 'color';
      if (!tints && lexeme.tint.mood !== 'none') bound.mood ??= lexeme.tint.mood;
      return;
    }
    const tint = tintOf(tokens, index);
    if (lexeme.type === 'surface') {
      const { material, colors } = lexeme.surface;
      const found = findHead(tokens, index, false) ?? 'any';
      if (found === 'none') return;
      // "Slate rocks" are a place to stand on, not an accent.
      const head = found === 'accent' && material === 'stone' ? 'any' : found;
      bound.materials[head] ??= { material, colors, lighten: tint?.lighten ?? 0 };
    } else if (lexeme.type === 'color') {
      // "Navy blue": the first word is the finer one.
      if (before?.lexeme.type === 'color' && !token.linked) return;
      const color = tintColor(lexeme.color, tint);
      const head = findHead(tokens, index, lexeme.standsAfter) ?? aheadOfAnd(tokens, index);
      if (head === 'none') return;
      if (head && bound.colors[head] === undefined) bound.colors[head] = color;
      else if (!head && hasLooseSurface(tokens, index)) bound.materialColor ??= color;
      else loose.push(color);
    }
  });
  for (const color of loose) giveLooseColor(bound.colors, color);
  return bound;
}

function giveLooseColor(colors: Partial<Record<Place, SpokenColor>>, color: SpokenColor): void {
  const order: readonly Place[] = color.isMetal
    ? ['accent', 'pedestal', 'wall']
    : ['wall', 'accent', 'pedestal', 'floor'];
  const free = order.find((place) => colors[place] === undefined);
  if (free) colors[free] = color;
}

function neighbour(tokens: readonly Token[], index: number, step: 1 | -1): Token | undefined {
  const other = tokens[index + step];
  return other?.phrase === tokens[index]!.phrase ? other : undefined;
}

function tintOf(tokens: readonly Token[], index: number): Tint | undefined {
  const before = neighbour(tokens, index, -1)?.lexeme;
  if (before?.type === 'tint') return before.tint;
  const after = neighbour(tokens, index, 1)?.lexeme;
  const isLast = tokens[index + 2]?.phrase !== tokens[index]!.phrase;
  // "Bleu clair": behind the colour only where no further word could claim it.
  return after?.type === 'tint' && isLast ? after.tint : undefined;
}

/** The noun that an attribute belongs to: the next of its phrase, or the one before when a link or the language says so. */
function findHead(tokens: readonly Token[], index: number, standsAfter: boolean): Place | 'none' | undefined {
  const { phrase, linked } = tokens[index]!;
  const behind = (): Place | 'none' | undefined => {
    for (let at = index - 1; at >= 0 && tokens[at]!.phrase === phrase; at--) {
      const head = headOf(tokens[at]!);
      if (head) return head;
    }
    return undefined;
  };
  const ahead = (): Place | 'none' | undefined => {
    for (let at = index + 1; at < tokens.length && tokens[at]!.phrase === phrase; at++) {
      if (tokens[at]!.linked) return undefined;
      const head = headOf(tokens[at]!);
      if (head) return head;
    }
    return undefined;
  };
  return linked || standsAfter ? (behind() ?? ahead()) : (ahead() ?? behind());
}

/** "Blue and white background": the colours before an "and" share the noun after it when nothing else was said. */
function aheadOfAnd(tokens: readonly Token[], index: number): Place | 'none' | undefined {
  const next = tokens[index + 1];
  const afterNext = tokens[index + 2];
  if (next?.lexeme.type !== 'color' || next.phrase !== tokens[index]!.phrase + 1) return undefined;
  return afterNext && afterNext.phrase === next.phrase && headOf(afterNext) === 'wall' ? 'wall' : undefined;
}

/** A material of the same phrase that no noun claims: "white marble". */
function hasLooseSurface(tokens: readonly Token[], index: number): boolean {
  return tokens.some(({ lexeme, phrase }) => lexeme.type === 'surface' && phrase === tokens[index]!.phrase);
}

function tintColor(color: NamedColor, tint: Tint | undefined): SpokenColor {
  const { name, isMetal } = color;
  return {
    name,
    isMetal,
    l: clamp(color.l + (tint?.lighten ?? 0), 0.2, 0.96),
    c: color.c * (tint?.strengthen ?? 1),
    h: color.h,
  };
}

/** The more a composition decides about the picture, the earlier it is heard. */
const compositionRank: readonly Composition[] = [
  'flatlay',
  'water',
  'dune',
  'drape',
  'podium',
  'block',
  'steps',
  'columns',
  'shelf',
  'garden',
  'curtain',
  'colorblock',
  'sweep',
  'rocks',
  'arch',
  'halo',
  'table',
];

function chooseComposition(tokens: readonly Token[], hasLooseMaterial: boolean): Composition | undefined {
  const asked = new Set(
    tokens.flatMap(({ lexeme }) => {
      if (lexeme.type === 'place') return lexeme.place.composition ?? [];
      if (lexeme.type === 'hint') return lexeme.hint.composition ?? [];
      // "Stone podium" is a podium; bare "stone" or "water" is a place of its own.
      if (lexeme.type === 'surface') {
        const alwaysOwn = lexeme.surface.material === 'water' || lexeme.surface.material === 'sand';
        return alwaysOwn || hasLooseMaterial ? (lexeme.surface.composition ?? []) : [];
      }
      return [];
    }),
  );
  return compositionRank.find((composition) => asked.has(composition));
}
