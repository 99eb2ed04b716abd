/** Derives setups from a prompt: the requested parts are fixed, and the other parts vary from plan to plan. */

import type { Composition, GoboKind, Material, Staging } from '../../studio/scene-plan.ts';
import type { PaletteMode } from '../palette.ts';
import type { PromptReading } from '../parse-prompt.ts';
import { compositionParts, type Stand } from './compositions.ts';
import { materialFacts } from './finishes.ts';
import type { LightWish } from './light.ts';
import type { Setup } from './setups.ts';

export interface WordSetup {
  readonly setup: Setup;
  /** Stands that match the prompt; undefined if all stands of the composition match. */
  readonly stands: readonly Stand[] | undefined;
}

/**
 * For a requested composition, the compositions and stands that satisfy the request. If a podium is requested, for
 * example, it may stand in front of an arch.
 */
const companions: Partial<Record<Composition, readonly (readonly [Composition, readonly Stand[]])[]>> = {
  podium: [
    ['podium', ['podium']],
    ['arch', ['podium']],
    ['halo', ['podium']],
    ['curtain', ['podium']],
    ['podium', ['two-podiums']],
    ['garden', ['podium']],
  ],
  block: [
    ['block', ['block']],
    ['colorblock', ['block']],
    ['halo', ['block']],
    ['curtain', ['block']],
  ],
  columns: [['columns', ['podium', 'column']]],
  arch: [
    ['arch', ['podium']],
    ['arch', ['low-disc']],
    ['podium', ['two-podiums']],
    ['steps', ['steps']],
  ],
};

const solidHomes: readonly Composition[] = [
  'podium',
  'block',
  'arch',
  'table',
  'steps',
  'halo',
  'shelf',
  'columns',
];
/** Compositions for a material that the prompt does not assign to a part of the set. */
const homesOfMaterial: Partial<Record<Material, readonly Composition[]>> = {
  wood: ['table', 'podium', 'shelf', 'arch', 'garden'],
  marble: ['table', 'podium', 'block', 'arch', 'steps', 'halo'],
  stone: ['rocks', 'block', 'podium', 'table', 'steps', 'columns'],
  sand: ['dune', 'rocks', 'garden'],
  water: ['water'],
  linen: ['table', 'drape', 'curtain'],
  satin: ['drape', 'curtain', 'luxury'],
  plaster: ['arch', 'podium', 'steps', 'block', 'columns'],
};
const anyHomes: readonly Composition[] = [
  'podium',
  'arch',
  'halo',
  'block',
  'table',
  'steps',
  'curtain',
  'columns',
];

const modesOfMood: Record<NonNullable<PromptReading['mood']>, readonly [PaletteMode, ...PaletteMode[]]> = {
  dark: ['dark-hue', 'dark'],
  bold: ['bold', 'bold-warm', 'bold-cool', 'complementary'],
  pastel: ['complementary', 'analogous', 'cool', 'triad', 'tonal', 'warm'],
  minimal: ['neutral', 'warm', 'cool', 'tonal'],
  natural: ['warm', 'analogous', 'neutral', 'tonal', 'complementary', 'cool'],
};
const anyModes = [
  'complementary',
  'warm',
  'neutral',
  'analogous',
  'cool',
  'triad',
  'tonal',
  'bold-warm',
] as const;

/** Minimum number of candidates: twice the maximum number of scenes in one suggested list. */
const minCandidates = 12;

export function setupsFromWords(words: PromptReading, staging: Staging): WordSetup[] {
  const homes = chooseHomes(words, staging);
  const modes = chooseModes(words);
  const gobos = chooseGobos(words);
  // Repeats the compositions with different light and materials, since there may be only one composition.
  const candidates = Array.from({ length: Math.ceil(minCandidates / homes.length) }, () => homes).flat();
  return candidates.map(([composition, stands], index) => ({
    stands,
    setup: {
      composition,
      ...chooseMaterials(words, { composition, index, stands, staging }),
      gobo: gobos[index % gobos.length]!,
      warmth: chooseWarmth(words),
      modes: rotate(modes, index),
      accent: words.mood === 'dark' ? 'gold' : 'painted',
      isPainted: words.mood === 'dark' && !words.materials.any,
    },
  }));
}

function chooseModes(words: PromptReading): readonly [PaletteMode, ...PaletteMode[]] {
  if (words.mood) return modesOfMood[words.mood];
  // A peach wall contradicts cool light.
  if (words.light === 'cool') return ['cool', 'neutral', 'cool'];
  const stuff = words.materials.any ?? words.materials.floor ?? words.materials.pedestal;
  if (stuff) return modesOfMaterial(stuff.material);
  return words.light === 'warm' ? ['warm', 'neutral', 'tonal', 'analogous'] : anyModes;
}

/**
 * Palette modes that suit a natural material: warm walls for sand and wood, quiet walls for stone; strong
 * colors come last.
 */
function modesOfMaterial(material: Material): readonly [PaletteMode, ...PaletteMode[]] {
  if (['sand', 'wood', 'travertine', 'linen'].includes(material)) {
    return ['warm', 'neutral', 'analogous', 'cool', 'complementary', 'tonal', 'triad'];
  }
  if (material === 'water')
    return ['cool', 'neutral', 'complementary', 'analogous', 'warm', 'tonal', 'triad'];
  return ['neutral', 'warm', 'cool', 'complementary', 'analogous', 'tonal', 'triad', 'bold-warm'];
}

type Home = readonly [Composition, readonly Stand[] | undefined];

/**
 * Furniture stays in rooms and wide stages, even if the prompt names a set for small products. Colors named in
 * the prompt still apply.
 */
const largeHomes: readonly Composition[] = ['room', 'sweep', 'room', 'curtain'];

function chooseHomes(words: PromptReading, staging: Staging): Home[] {
  const { composition, materials } = words;
  if (staging === 'garment' || staging === 'hung') return [['flatlay', undefined]];
  const isSuited = (home: Composition): boolean => compositionParts[home].stagings.includes(staging);
  if (staging === 'large') {
    const homes = composition && isSuited(composition) ? [composition] : largeHomes;
    const leafy = words.mood === 'natural' && !composition ? (['garden'] as const) : [];
    return [...leafy, ...homes].map((home) => [home, undefined]);
  }
  if (composition) return [...(companions[composition] ?? [[composition, undefined]])];
  const any = materials.any?.material ?? materials.floor?.material;
  // A shelf fills the frame's width and hides the floor.
  const isFloorAsked = materials.floor !== undefined || words.colors.floor !== undefined;
  const hasPedestal = materials.pedestal !== undefined || words.colors.pedestal !== undefined;
  const homes = hasPedestal || !any ? anyHomes : (homesOfMaterial[any] ?? solidHomes);
  // If the prompt names only a dark or natural mood, the mood's own compositions come first.
  const first: readonly Composition[] =
    words.mood === 'dark' ? ['luxury'] : words.mood === 'natural' ? ['garden', 'rocks'] : [];
  const all = [...(any || hasPedestal ? [] : first), ...homes].filter(
    (home) => !(hasPedestal && home === 'table') && !(isFloorAsked && home === 'shelf'),
  );
  const suited = all.filter(isSuited);
  // An explicitly requested material is shown even if its compositions do not suit the product.
  return (suited.length > 0 ? suited : all).map((home) => [home, undefined]);
}

function chooseGobos(words: PromptReading): readonly GoboKind[] {
  if (words.gobo) return [words.gobo];
  if (words.mood === 'dark') return ['none', 'slit', 'window', 'palm'];
  // Minimal sets start with plain light; other sets would look bland without a pattern.
  return words.mood === 'minimal' ? ['none', 'window'] : ['window', 'palm', 'none', 'foliage'];
}

function chooseWarmth({ light, gobo }: PromptReading): LightWish['warmth'] {
  if (light === 'warm') return gobo === 'window' ? 'gold' : 'warm';
  return light === 'cool' ? 'cool' : 'day';
}

/** Materials of a flat lay's ground if the prompt requests none. */
const freeLays: readonly Material[] = ['linen', 'plaster', 'matte'];

interface MaterialWish {
  readonly composition: Composition;
  /** Index of the candidate, which varies what the prompt leaves open. */
  readonly index: number;
  readonly stands: readonly Stand[] | undefined;
  readonly staging: Staging;
}

function chooseMaterials(
  words: PromptReading,
  { composition, index, stands, staging }: MaterialWish,
): Pick<Setup, 'wall' | 'floor' | 'pedestal'> {
  const { materials } = words;
  const isLarge = staging === 'large';
  const isOnGround = isLarge || staging === 'garment' || staging === 'hung';
  const isSecond = index % 2 === 1;
  const said = materials.any?.material ?? (isOnGround ? materials.pedestal?.material : undefined);
  // Clothes are never laid on water.
  const any = composition === 'flatlay' && said === 'water' ? undefined : said;
  // If the product stands on the ground, the ground shows the requested material.
  const isBare = isLarge || ['table', 'flatlay', 'sweep'].includes(composition);
  const relief = reliefMaterial(composition);
  const freeWall: Material = composition === 'curtain' ? 'satin' : isSecond ? 'matte' : 'plaster';
  const freeLay = freeLays[index % freeLays.length]!;
  const wall = materials.wall?.material ?? (composition === 'flatlay' ? (any ?? freeLay) : freeWall);
  const canStand = any !== undefined && materialFacts[any].isSolid;
  const spread =
    any !== undefined && (isBare || !canStand || (isSecond && stands === undefined)) ? any : undefined;
  const floor =
    materials.floor?.material ??
    (relief && !(spread && spread === any && !canStand)
      ? relief
      : (spread ?? freeFloorOf(composition, wall, isSecond)));
  if (composition === 'room') return { wall, floor, pedestal: 'linen' };
  const pedestal = materials.pedestal?.material ?? (canStand ? any : freePedestal(floor, words));
  return { wall, floor, pedestal };
}

function reliefMaterial(composition: Composition): Material | undefined {
  if (composition === 'dune') return 'sand';
  if (composition === 'water') return 'water';
  return composition === 'drape' ? 'satin' : undefined;
}

function freeFloorOf(composition: Composition, wall: Material, isSecond: boolean): Material {
  if (composition === 'room') return isSecond ? 'wood' : 'concrete';
  return composition === 'flatlay' ? wall : freeFloor(wall);
}

/** Below a painted wall, the floor has the same paint. */
function freeFloor(wall: Material): Material {
  return wall === 'matte' || wall === 'plaster' || wall === 'concrete' ? wall : 'matte';
}

function freePedestal(floor: Material, { mood }: PromptReading): Material {
  if (floor === 'sand') return 'travertine';
  if (floor === 'water') return 'stone';
  if (floor === 'linen') return 'wood';
  return mood === 'dark' ? 'lacquer' : 'matte';
}

function rotate(
  modes: readonly [PaletteMode, ...PaletteMode[]],
  by: number,
): readonly [PaletteMode, ...PaletteMode[]] {
  const at = by % modes.length;
  const [first = modes[0], ...rest] = [...modes.slice(at), ...modes.slice(0, at)];
  return [first, ...rest];
}
