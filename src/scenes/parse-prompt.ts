/**
 * Interprets a prompt by rules: the requested colors, materials, light and props of a set, and the words that
 * request them.
 */

import type { Composition, Material, Shape } from '../studio/scene-plan.ts';
import { type Bound, bindAttributes } from './prompt/bind-attributes.ts';
import { choosePlaces } from './prompt/choose-places.ts';
import { isRoom, type Lexeme } from './prompt/lexicon.ts';
import type { Aim, PromptReading, Source, Token } from './prompt/prompt-reading.ts';
import { type PromptUnit, readUnits } from './prompt/read-units.ts';
import type { HintWord } from './prompt/scene-words.ts';

export type { PromptReading } from './prompt/prompt-reading.ts';

export interface InterpretedPrompt {
  readonly reading: PromptReading;
  readonly sources: readonly Source[];
}

export const parsePrompt = (prompt: string): PromptReading => interpretUnits(readUnits(prompt)).reading;

/** `without`: indexes of units (words or phrases) that are to be ignored as if they had no meaning. */
export function interpretUnits(
  units: readonly PromptUnit[],
  without: ReadonlySet<number> = new Set(),
): InterpretedPrompt {
  const tokens = readTokens(units, without);
  const wanted = tokens.filter(({ negated }) => !negated);
  const refused = tokens.filter(({ negated }) => negated);
  const bound = bindAttributes(wanted);
  const noGobo = refused.some(({ lexeme }) => lexeme.type === 'hint' && lexeme.hint.gobo);
  const shapes = wanted.flatMap(({ lexeme }) => wantedShapes(lexeme));
  const kept = wanted.filter(({ unit }) => !bound.undrawnUnits.has(unit));
  const composition = chooseComposition(kept, bound.materials.any !== undefined);
  implyMaterial(bound, wanted, composition);
  const mood = findHint(wanted, 'mood') ?? bound.mood;
  const asked = mood === 'dark' ? wanted.filter(({ lexeme }) => !isRoom(lexeme)) : wanted;
  const reading = {
    colors: bound.colors,
    materials: bound.materials,
    materialColor: bound.materialColor,
    composition,
    gobo: noGobo ? 'none' : findHint(wanted, 'gobo'),
    light: findHint(wanted, 'light'),
    mood,
    places: bound.colors.wall && namesWall(wanted) ? [] : choosePlaces(asked, composition),
    shapes: [...new Set(shapes)],
    unwanted: [...new Set(refused.flatMap(({ lexeme }) => unwantedShapes(lexeme)))],
  } as const;
  return { reading, sources: [...bound.sources, ...tokens.flatMap((token) => aimsOf(token, reading))] };
}

function readTokens(units: readonly PromptUnit[], without: ReadonlySet<number>): Token[] {
  const tokens: Token[] = [];
  let carried: PromptUnit | undefined;
  for (const [unit, { lexemes, phrase, linked, negated }] of units.entries()) {
    const known = without.has(unit) ? [] : lexemes.filter(({ type }) => type !== 'uncontrolled');
    // A link extends across an unknown word: in "a wall in gloomy blue", blue is still linked to the wall.
    const isLinked = linked || (carried?.phrase === phrase && carried.linked);
    for (const lexeme of known) tokens.push({ lexeme, unit, phrase, linked: isLinked, negated });
    carried = known.length === 0 ? { ...units[unit]!, linked: isLinked } : undefined;
  }
  return tokens;
}

function findHint<Key extends 'gobo' | 'light' | 'mood'>(
  tokens: readonly Token[],
  key: Key,
): HintWord[Key] | undefined {
  return tokens.flatMap(({ lexeme }) => (lexeme.type === 'hint' ? (lexeme.hint[key] ?? []) : []))[0];
}

/**
 * Whether the prompt names a wall or a room. Only the studio can paint its walls in a color; a photographed place
 * cannot.
 */
function namesWall(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lexeme }) => isRoom(lexeme) || (lexeme.type === 'place' && lexeme.place.place === 'wall'),
  );
}

function wantedShapes(lexeme: Lexeme): readonly Shape[] {
  if (lexeme.type === 'hint') return lexeme.hint.shapes ?? [];
  return lexeme.type === 'place' && lexeme.place.shape ? [lexeme.place.shape] : [];
}

/**
 * The aims (requests about the set) that one word contributed to the reading. Aims of colors and materials are missing
 * here; they come from `bindAttributes`.
 */
function aimsOf({ lexeme, unit, negated }: Token, reading: PromptReading): Source[] {
  const source = (aim: Aim): Source => ({ aim, units: [unit] });
  if (negated) {
    const shapes = unwantedShapes(lexeme);
    const isLight = lexeme.type === 'hint' && lexeme.hint.gobo !== undefined;
    return [
      ...(shapes.length > 0 ? [source({ type: 'absent', shapes })] : []),
      ...(isLight ? [source({ type: 'gobo', gobo: 'none' })] : []),
    ];
  }
  const { composition } = reading;
  const aims: Aim[] = [];
  if (composition && compositionOf(lexeme) === composition) aims.push({ type: 'composition', composition });
  if (lexeme.type === 'hint') {
    const { gobo, light, mood } = lexeme.hint;
    if (gobo && gobo === reading.gobo) aims.push({ type: 'gobo', gobo });
    if (light && light === reading.light) aims.push({ type: 'light', light });
    if (mood && mood === reading.mood) aims.push({ type: 'mood', mood });
    const { places } = lexeme.hint;
    if (places && reading.places.length > 0) aims.push({ type: 'place', places });
  }
  aims.push(...wantedShapes(lexeme).map((shape): Aim => ({ type: 'shape', shape })));
  return aims.map(source);
}

/** Adds the material that a table or kitchen implies for its top: a painted top would not look like a table. */
function implyMaterial(bound: Bound, tokens: readonly Token[], composition: Composition | undefined): void {
  const place = composition === 'shelf' ? 'pedestal' : 'floor';
  if (bound.materials[place] ?? bound.materials.any ?? bound.colors[place]) return;
  // In a kitchen with a desk, the desk's material takes precedence.
  const material =
    tokens.flatMap(({ lexeme }) => (lexeme.type === 'place' ? (lexeme.place.stuff ?? []) : []))[0] ??
    tokens.flatMap(({ lexeme }) => impliedMaterial(lexeme) ?? [])[0];
  if (material === undefined) return;
  bound.materials[place] = { material, colors: [], lighten: 0 };
  for (const { lexeme, unit } of tokens) {
    if (impliedMaterial(lexeme) === material) {
      bound.sources.push({ aim: { type: 'material', place, material }, units: [unit] });
    }
  }
}

function impliedMaterial(lexeme: Lexeme): Material | undefined {
  if (lexeme.type === 'place') return lexeme.place.stuff;
  return lexeme.type === 'hint' ? lexeme.hint.stuff : undefined;
}

function unwantedShapes(lexeme: Lexeme): Shape[] {
  if (lexeme.type === 'hint') return [...(lexeme.hint.shapes ?? [])];
  if (lexeme.type !== 'place') return [];
  const { place, shape } = lexeme.place;
  if (shape === 'branch') return ['branch', 'olive', 'palm', 'monstera', 'pampas'];
  if (shape) return [shape];
  // "No props" excludes all these shapes.
  return place === 'accent'
    ? ['sphere', 'disc', 'arch', 'panel', 'petals', 'stone', 'branch', 'palm', 'box', 'cylinder']
    : [];
}

/** Compositions that determine the picture most strongly come first; the first match wins. */
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
  const firm = tokens.find(({ lexeme }) => lexeme.type === 'hint' && lexeme.hint.isFirm);
  if (firm) return compositionOf(firm.lexeme);
  const asked = new Set(
    tokens.flatMap(({ lexeme }) => {
      // "Stone podium" is only a podium, but "stone" alone requests rocks. Water and sand always request their own
      // composition.
      const isOwn =
        lexeme.type !== 'surface' ||
        hasLooseMaterial ||
        lexeme.surface.material === 'water' ||
        lexeme.surface.material === 'sand';
      return isOwn ? (compositionOf(lexeme) ?? []) : [];
    }),
  );
  return compositionRank.find((composition) => asked.has(composition));
}

function compositionOf(lexeme: Lexeme): Composition | undefined {
  if (lexeme.type === 'place') return lexeme.place.composition;
  if (lexeme.type === 'hint') return lexeme.hint.composition;
  return lexeme.type === 'surface' ? lexeme.surface.composition : undefined;
}
