/** Binds each color and material of a prompt to the part of the set that its noun names. */
import { clamp } from '../oklch.ts';
import type { NamedColor, Tint } from './color-words.ts';
import { isRoom } from './lexicon.ts';
import type { Source, SpokenColor, SpokenMaterial, Token } from './prompt-reading.ts';
import type { Mood, Place } from './scene-words.ts';

/** The colorable part of a set that a noun names; `none` for a thing that is not drawn, undefined for other words. */
function headOf({ lexeme }: Token): Place | 'none' | undefined {
  if (lexeme.type === 'place') return lexeme.place.place;
  if (isRoom(lexeme)) return 'wall';
  if (lexeme.type === 'subject' || lexeme.type === 'scenery') return 'none';
  return undefined;
}

interface Head {
  readonly place: Place | 'none';
  readonly token: Token;
}

export interface Bound {
  readonly colors: Partial<Record<Place, SpokenColor>>;
  readonly materials: Partial<Record<Place | 'any', SpokenMaterial>>;
  materialColor: SpokenColor | undefined;
  mood: Mood | undefined;
  readonly sources: Source[];
  /** Units (words of the prompt, by index) that name the material of a thing that is not drawn. */
  readonly undrawnUnits: Set<number>;
}

export function bindAttributes(tokens: readonly Token[]): Bound {
  const bound: Bound = {
    colors: {},
    materials: {},
    materialColor: undefined,
    mood: undefined,
    sources: [],
    undrawnUnits: new Set(),
  };
  const loose: { readonly color: SpokenColor; readonly units: readonly number[] }[] = [];
  tokens.forEach((token, index) => {
    const { lexeme } = token;
    if (lexeme.type === 'tint') bindTint(bound, tokens, index);
    else if (lexeme.type === 'surface') bindSurface(bound, tokens, index);
    else if (lexeme.type === 'color') {
      const color = bindColor(bound, tokens, index);
      if (color) loose.push(color);
    }
  });
  for (const { color, units } of loose) giveLooseColor(bound, color, units);
  return bound;
}

function bindTint(bound: Bound, tokens: readonly Token[], index: number): void {
  const { lexeme, unit } = tokens[index]!;
  const next = neighbor(tokens, index, 1);
  const before = neighbor(tokens, index, -1);
  if (next?.lexeme.type === 'color' || next?.lexeme.type === 'surface') return;
  if (before?.lexeme.type === 'color') return;
  if (lexeme.type !== 'tint' || lexeme.tint.mood === 'none') return;
  const { mood } = lexeme.tint;
  // If the prompt also has an explicit mood word, `interpretUnits` uses the mood of that word. `showAim` then finds out
  // whether the plan shows the tint's mood, too.
  bound.mood ??= mood;
  if (bound.mood === mood) bound.sources.push({ aim: { type: 'mood', mood }, units: [unit] });
}

function bindSurface(bound: Bound, tokens: readonly Token[], index: number): void {
  const { lexeme, unit } = tokens[index]!;
  if (lexeme.type !== 'surface') return;
  const { material, colors } = lexeme.surface;
  const tint = tintOf(tokens, index);
  const head = findHead(tokens, index, false);
  // "Splash of water": the splash cannot be shown, but the water can.
  const isPart = tokens[index]!.linked && head?.token.lexeme.type === 'scenery' && head.token.unit < unit;
  const found = isPart ? undefined : head;
  const units = joinUnits(unit, tint?.unit, found);
  if (found?.place === 'none') {
    bound.undrawnUnits.add(unit);
    bound.sources.push({ aim: undefined, units });
    return;
  }
  // "Slate rocks": the product stands on them, so they are not an accent.
  const place =
    found === undefined || (found.place === 'accent' && material === 'stone') ? 'any' : found.place;
  const isFirst = bound.materials[place] === undefined;
  bound.materials[place] ??= { material, colors, lighten: tint?.tint.lighten ?? 0 };
  const isUsed = isFirst || bound.materials[place].material === material;
  bound.sources.push({ aim: isUsed ? { type: 'material', place, material } : undefined, units });
}

/** Returns the color if neither a part of the set nor a material claims it. */
function bindColor(
  bound: Bound,
  tokens: readonly Token[],
  index: number,
): { color: SpokenColor; units: readonly number[] } | undefined {
  const { lexeme, unit, linked } = tokens[index]!;
  if (lexeme.type !== 'color') return undefined;
  const before = neighbor(tokens, index, -1);
  // "Navy blue": the first word is the more specific one.
  if (before?.lexeme.type === 'color' && !linked) {
    bound.sources.push({ aim: undefined, units: [before.unit, unit] });
    return undefined;
  }
  const tint = tintOf(tokens, index);
  const color = tintColor(lexeme.color, tint?.tint);
  const head = findHead(tokens, index, lexeme.standsAfter) ?? findHeadAfterAnd(tokens, index);
  const units = joinUnits(unit, tint?.unit, head);
  if (head?.place === 'none') bound.sources.push({ aim: undefined, units });
  else if (head && bound.colors[head.place] === undefined) {
    bound.colors[head.place] = color;
    bound.sources.push({ aim: { type: 'color', place: head.place, color }, units });
  } else if (!head && hasLooseSurface(tokens, index)) {
    bound.materialColor ??= color;
    if (bound.materialColor === color) bound.sources.push({ aim: { type: 'material-color', color }, units });
  } else return { color, units };
  return undefined;
}

/** The attribute's units, plus its noun's unit if the noun requests nothing else ("wall") or is not drawn. */
function joinUnits(unit: number, tint: number | undefined, head: Head | undefined): number[] {
  const lexeme = head?.token.lexeme;
  const isBare =
    lexeme?.type === 'place' ? !lexeme.place.composition && !lexeme.place.shape : head !== undefined;
  return [
    ...new Set([unit, ...(tint === undefined ? [] : [tint]), ...(isBare && head ? [head.token.unit] : [])]),
  ].sort((a, b) => a - b);
}

function giveLooseColor({ colors, sources }: Bound, color: SpokenColor, units: readonly number[]): void {
  const order: readonly Place[] = color.isMetal
    ? ['accent', 'pedestal', 'wall']
    : ['wall', 'accent', 'pedestal', 'floor'];
  const free = order.find((place) => colors[place] === undefined);
  if (free === undefined) return;
  colors[free] = color;
  sources.push({ aim: { type: 'color', place: free, color }, units });
}

function neighbor(tokens: readonly Token[], index: number, step: 1 | -1): Token | undefined {
  const other = tokens[index + step];
  return other?.phrase === tokens[index]!.phrase ? other : undefined;
}

function tintOf(tokens: readonly Token[], index: number): { tint: Tint; unit: number } | undefined {
  const before = neighbor(tokens, index, -1);
  if (before?.lexeme.type === 'tint') return { tint: before.lexeme.tint, unit: before.unit };
  const after = neighbor(tokens, index, 1);
  const isLast = tokens[index + 2]?.phrase !== tokens[index]!.phrase;
  // "Bleu clair": a tint may follow its color if no later word in the phrase could claim it.
  return after?.lexeme.type === 'tint' && isLast ? { tint: after.lexeme.tint, unit: after.unit } : undefined;
}

/**
 * Finds the noun that an attribute describes, in the attribute's phrase: preferably the next noun. After a linking
 * word ("of", "in"), and for Romance color words, preferably the previous noun.
 */
function findHead(tokens: readonly Token[], index: number, standsAfter: boolean): Head | undefined {
  const { phrase, linked } = tokens[index]!;
  const headAt = (at: number): Head | undefined => {
    const token = tokens[at];
    const place = token?.phrase === phrase ? headOf(token) : undefined;
    return token && place && { place, token };
  };
  const findBefore = (): Head | undefined => {
    for (let at = index - 1; at >= 0 && tokens[at]!.phrase === phrase; at--) {
      const head = headAt(at);
      if (head) return head;
    }
    return undefined;
  };
  const findAfter = (): Head | undefined => {
    for (let at = index + 1; at < tokens.length && tokens[at]!.phrase === phrase; at++) {
      if (tokens[at]!.linked) return undefined;
      let head = headAt(at);
      if (!head) continue;
      // "Christmas wall": in a compound noun, the last word is the head.
      while (!tokens[at + 1]?.linked && tokens[at + 1]?.unit === tokens[at]!.unit + 1 && headAt(at + 1)) {
        at++;
        head = headAt(at)!;
      }
      return head;
    }
    return undefined;
  };
  return linked || standsAfter ? (findBefore() ?? findAfter()) : (findAfter() ?? findBefore());
}

/**
 * "Blue and white background": if a color has no noun of its own, and the next phrase starts with another color and a
 * noun for the wall, the first color describes that noun, too.
 */
function findHeadAfterAnd(tokens: readonly Token[], index: number): Head | undefined {
  const next = tokens[index + 1];
  const afterNext = tokens[index + 2];
  if (next?.lexeme.type !== 'color' || next.phrase !== tokens[index]!.phrase + 1) return undefined;
  const isWall = afterNext?.phrase === next.phrase && headOf(afterNext) === 'wall';
  return isWall ? { place: 'wall', token: afterNext } : undefined;
}

/** Whether the phrase contains a material that can take the color: "white marble". */
function hasLooseSurface(tokens: readonly Token[], index: number): boolean {
  return tokens.some(({ lexeme, phrase }) => lexeme.type === 'surface' && phrase === tokens[index]!.phrase);
}

function tintColor(color: NamedColor, tint: Tint | undefined): SpokenColor {
  const { name, isMetal } = color;
  return {
    name,
    tint: tint?.name,
    isMetal,
    l: clamp(color.l + (tint?.lighten ?? 0), 0.2, 0.96),
    c: color.c * (tint?.strengthen ?? 1),
    h: color.h,
  };
}
