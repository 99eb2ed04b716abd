/** Turns the words of a prompt into wants: what each asks of a set, with its colors bound to the part that it names. */
import type { Shape } from 'packshot-studio';
import type { Mood, Part, WantedColor } from './color-wish.ts';
import { type Concept, conceptOf, type Meaning, shapesOf, type Tint, tintColor } from './dictionary.ts';
import type { KindWord } from './product/kind-words.ts';
import { findPropGroup } from './prop-groups.ts';
import type { PromptUnit } from './read-units.ts';
import type { PropGroup, Wanted, WantedMaterial } from './wanted.ts';

/** One thing that a prompt asks for. */
export type Want =
  | {
      readonly type: 'color';
      readonly part: Part;
      readonly color: WantedColor;
      readonly tint?: string | undefined;
    }
  | {
      readonly type: 'material';
      readonly part: Part | 'any';
      readonly material: WantedMaterial;
      readonly tag: string;
    }
  | { readonly type: 'concept'; readonly concept: Concept }
  | { readonly type: 'mood'; readonly mood: Mood }
  /** A set or place that an operator's own words name. */
  | { readonly type: 'file'; readonly id: string }
  | { readonly type: 'absent'; readonly shapes: readonly Shape[]; readonly isPattern: boolean };

export const unusedReasons = ['not_drawable', 'unknown_word', 'no_effect', 'not_the_product'] as const;
export type UnusedReason = (typeof unusedReasons)[number];

/** Words of the prompt as typed, and what they ask for; with a reason, they ask for nothing that exists. */
export interface Spoken {
  readonly words: readonly string[];
  readonly want: Want | undefined;
  readonly reason?: UnusedReason;
}

interface Token {
  readonly meaning: Meaning;
  readonly unit: number;
  readonly phrase: number;
  readonly linked: boolean;
  readonly stated: boolean;
}

type Head = { readonly part: Part | 'thing'; readonly token: Token };

/** `isProduct`: whether the unit names the product, and so asks nothing of the set. */
export function readWants(units: readonly PromptUnit[], isProduct: (unit: number) => boolean): Spoken[] {
  const tokens = units.flatMap(({ meanings, phrase, linked, negated, stated }, unit): Token[] =>
    negated
      ? []
      : meanings
          .filter(({ type }) => type !== 'uncontrolled')
          .map((meaning) => ({ meaning, unit, phrase, linked, stated })),
  );
  const taken = new Set<Part>();
  const claimed = new Set<number>();
  const spoken: {
    readonly units: readonly number[];
    readonly want: Want | undefined;
    readonly reason?: UnusedReason;
  }[] = [];
  const loose: LooseColor[] = [];
  for (const [index, token] of tokens.entries()) {
    const { meaning, unit } = token;
    if (meaning.type === 'color') {
      const before = tokens[index - 1];
      // "Navy blue": the first word is the more specific one.
      if (before?.meaning.type === 'color' && before.phrase === token.phrase && !token.linked) {
        spoken.push({ units: [before.unit, unit], want: undefined });
        continue;
      }
      const tint = tintBeside(tokens, index);
      const color = tintColor(meaning.color, tint?.tint);
      const head = findHead(tokens, index, meaning.standsAfter) ?? headAfterAnd(tokens, index);
      const own = [...(tint ? [tint.unit] : []), unit, ...bareUnit(head)].sort((a, b) => a - b);
      if (head?.part === 'thing') {
        spoken.push({ units: own, want: undefined, reason: 'not_drawable' });
        claimed.add(head.token.unit);
      } else if (head && !taken.has(head.part)) {
        taken.add(head.part);
        spoken.push({ units: own, want: { type: 'color', part: head.part, color, tint: tint?.tint.name } });
      } else if (!head && hasMaterial(tokens, index)) {
        const part = 'floor';
        if (taken.has(part)) continue;
        taken.add(part);
        spoken.push({ units: own, want: { type: 'color', part, color, tint: tint?.tint.name } });
      } else loose.push({ color, tint: tint?.tint, units: own });
    } else if (meaning.type === 'material') {
      const tint = tintBeside(tokens, index);
      const head = findHead(tokens, index, false);
      // "Splash of water": the splash cannot be shown, but the water can.
      const isPartOf = token.linked && head?.part === 'thing' && head.token.unit < unit;
      const own = [...(tint ? [tint.unit] : []), unit, ...(isPartOf ? [] : bareUnit(head))].sort(
        (a, b) => a - b,
      );
      if (head?.part === 'thing' && !isPartOf) {
        spoken.push({ units: own, want: undefined, reason: 'not_drawable' });
        continue;
      }
      const { material, colors, tag } = meaning.material;
      const part = head && !isPartOf && head.part !== 'thing' && head.part !== 'accent' ? head.part : 'any';
      const lighten = tint?.tint.lighten ?? 0;
      spoken.push({
        units: own,
        want: { type: 'material', part, material: { material, colors, lighten }, tag },
      });
    } else if (meaning.type === 'concept') {
      spoken.push({ units: [unit], want: { type: 'concept', concept: meaning.concept } });
    } else if (meaning.type === 'tint') {
      const isBeside = [tokens[index - 1], tokens[index + 1]].some(
        (other) =>
          other?.phrase === token.phrase &&
          (other.meaning.type === 'color' || other.meaning.type === 'material'),
      );
      const { mood } = meaning.tint;
      if (!isBeside && mood) spoken.push({ units: [unit], want: { type: 'mood', mood } });
    } else if (meaning.type === 'thing' || (meaning.type === 'product' && !isProduct(unit))) {
      spoken.push({ units: [unit], want: undefined, reason: 'not_drawable' });
    }
  }
  spoken.push(...giveLoose(loose, taken));
  for (const [unit, { meanings, negated }] of units.entries()) {
    if (negated) spoken.push(refuse(unit, meanings));
    else if (meanings.length === 0) spoken.push({ units: [unit], want: undefined, reason: 'unknown_word' });
  }
  return spoken
    .filter(({ want, units: own, reason }) => want || (reason && !own.every((unit) => isProduct(unit))))
    .map(({ units: own, ...rest }) => ({ words: own.map((unit) => units[unit]!.text), ...rest }));
}

interface LooseColor {
  readonly color: WantedColor;
  readonly tint: Tint | undefined;
  readonly units: readonly number[];
}

/** Gives each color without a noun to the first part that has none: the wall, or accents if it is a metal. */
function giveLoose(
  loose: readonly LooseColor[],
  taken: Set<Part>,
): { units: readonly number[]; want: Want }[] {
  return loose.flatMap(({ color, tint, units }) => {
    const order: readonly Part[] = color.isMetal
      ? ['accent', 'stand', 'wall']
      : ['wall', 'accent', 'stand', 'floor'];
    const part = order.find((free) => !taken.has(free));
    if (part === undefined) return [];
    taken.add(part);
    return [{ units, want: { type: 'color', part, color, tint: tint?.name } }];
  });
}

function refuse(unit: number, meanings: readonly Meaning[]) {
  const concepts = meanings.flatMap((meaning) => (meaning.type === 'concept' ? [meaning.concept] : []));
  const shapes = concepts.flatMap(shapesOf);
  const isPattern = concepts.some(({ pattern }) => pattern !== undefined);
  return { units: [unit], want: { type: 'absent', shapes, isPattern } as const };
}

function headOf({ meaning }: Token): Part | 'thing' | undefined {
  if (meaning.type === 'part') return meaning.part;
  if (meaning.type === 'concept') return meaning.concept.part;
  return meaning.type === 'product' || meaning.type === 'thing' ? 'thing' : undefined;
}

/** The noun's own unit, if it asks for nothing else, as "wall". */
const bareUnit = (head: Head | undefined): number[] =>
  head?.token.meaning.type === 'part' ? [head.token.unit] : [];

/**
 * The noun that a color or material describes, in its phrase: preferably the next one; after a link ("of", "in"), and
 * for the colors of Romance languages, preferably the previous one. Of a compound, the last noun.
 */
function findHead(tokens: readonly Token[], index: number, standsAfter: boolean): Head | undefined {
  const { phrase, linked } = tokens[index]!;
  const headAt = (at: number): Head | undefined => {
    const token = tokens[at];
    const part = token?.phrase === phrase ? headOf(token) : undefined;
    return token && part && { part, token };
  };
  const before = (): Head | undefined => {
    for (let at = index - 1; at >= 0 && tokens[at]!.phrase === phrase; at--) {
      const head = headAt(at);
      if (head) return head;
    }
    return undefined;
  };
  const after = (): Head | undefined => {
    for (let at = index + 1; at < tokens.length && tokens[at]!.phrase === phrase; at++) {
      if (tokens[at]!.linked) return undefined;
      let head = headAt(at);
      if (!head) continue;
      for (
        let next = at + 1;
        headAt(next) &&
        !tokens[next]!.linked &&
        !tokens[next]!.stated &&
        tokens[next]!.unit === tokens[next - 1]!.unit + 1;
        next++
      )
        head = headAt(next);
      return head;
    }
    return undefined;
  };
  return linked || standsAfter ? (before() ?? after()) : (after() ?? before());
}

/** "Blue and white background": the first color describes the background, too. */
function headAfterAnd(tokens: readonly Token[], index: number): Head | undefined {
  const [next, noun] = [tokens[index + 1], tokens[index + 2]];
  const isPair = next?.meaning.type === 'color' && next.phrase === tokens[index]!.phrase + 1;
  return isPair && noun?.phrase === next.phrase && headOf(noun) === 'wall'
    ? { part: 'wall', token: noun }
    : undefined;
}

const hasMaterial = (tokens: readonly Token[], index: number): boolean =>
  tokens.some(({ meaning, phrase }) => meaning.type === 'material' && phrase === tokens[index]!.phrase);

function tintBeside(tokens: readonly Token[], index: number): { tint: Tint; unit: number } | undefined {
  const { phrase } = tokens[index]!;
  const at = (other: number): { tint: Tint; unit: number } | undefined => {
    const token = tokens[other];
    return token?.phrase === phrase && token.meaning.type === 'tint'
      ? { tint: token.meaning.tint, unit: token.unit }
      : undefined;
  };
  // "Bleu clair": a tint may follow if no later word of the phrase could claim it.
  return at(index - 1) ?? (tokens[index + 2]?.phrase === phrase ? undefined : at(index + 1));
}

/** The product that a prompt states, and its units: the last word of a compound names it. */
export function findStated(units: readonly PromptUnit[]) {
  const isSaid = (unit: PromptUnit | undefined): boolean =>
    unit?.stated === true && !unit.negated && unit.meanings.some(({ type }) => type === 'product');
  const first = units.findIndex(isSaid);
  if (first < 0) return undefined;
  let last = first;
  while (
    isSaid(units[last + 1]) &&
    units[last + 1]!.phrase === units[first]!.phrase &&
    !units[last + 1]!.linked
  )
    last++;
  const meaning = units[last]!.meanings.find(({ type }) => type === 'product');
  if (meaning?.type !== 'product') return undefined;
  const word: KindWord = meaning.product;
  return { word, units: Array.from({ length: last - first + 1 }, (_, index) => first + index) };
}

/** What the wants ask of the fitter and the chooser; earlier wants take precedence. */
export function combineWants(spoken: readonly Spoken[]): Wanted {
  const wants = spoken.flatMap(({ want }) => want ?? []);
  const concepts = wants.flatMap((want) => (want.type === 'concept' ? [want.concept] : []));
  const absent = wants.flatMap((want) => (want.type === 'absent' ? [want] : []));
  const unwanted = new Set(absent.flatMap(({ shapes }) => shapes));
  const colors: Partial<Record<Part, WantedColor>> = {};
  const materials: Partial<Record<Part | 'any', WantedMaterial>> = {};
  const tags: string[] = [];
  for (const want of wants) {
    if (want.type === 'color') colors[want.part] ??= want.color;
    if (want.type === 'material') materials[want.part] ??= want.material;
    if (want.type === 'material') tags.push(want.tag);
    if (want.type === 'concept') tags.push(want.concept.tag);
    if (want.type === 'file') tags.push(want.id);
  }
  const mood =
    concepts.find((concept) => concept.mood)?.mood ??
    wants.flatMap((want) => (want.type === 'mood' ? [want.mood] : []))[0];
  const groups = concepts.flatMap(({ prop }): PropGroup[] => {
    const group = prop === undefined ? undefined : findPropGroup(prop);
    return group ? [group] : [];
  });
  // A color for accents needs something to be seen on.
  if (colors.accent && groups.length === 0) groups.push(findPropGroup('spheres')!);
  return {
    colors,
    materials,
    pattern: absent.some(({ isPattern }) => isPattern)
      ? 'none'
      : concepts.find(({ pattern }) => pattern)?.pattern,
    warmth: concepts.find(({ warmth }) => warmth)?.warmth,
    mood,
    props: [...new Set(groups)].filter(
      ({ behind, beside }) => ![...behind, ...beside].every(({ shape }) => unwanted.has(shape)),
    ),
    unwanted,
    tags: [...new Set(mood && !tags.includes(mood) && conceptOf(mood) ? [...tags, mood] : tags)],
  };
}
