/** Turns what a prompt asks for into looks: the asked parts are fixed, the others differ from plan to plan. */

import type { Composition, GoboKind, Material, Staging } from '../../studio/scene-plan.ts';
import type { PaletteMode } from '../palette.ts';
import type { PromptReading } from '../parse-prompt.ts';
import { compositionParts, type Stand } from './compositions.ts';
import { materialFacts } from './finishes.ts';
import type { LightWish } from './light.ts';
import type { Look } from './looks.ts';

export interface WordLook {
  readonly look: Look;
  /** Stands that keep what was asked for. */
  readonly stands: readonly Stand[] | undefined;
}

/** Where a thing that was asked for also appears: a podium may stand before an arch. */
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
/** What a material that nothing else places makes of a set. */
const homesOfMaterial: Partial<Record<Material, readonly Composition[]>> = {
  wood: ['table', 'podium', 'shelf', 'block', 'arch', 'garden'],
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

/** Twice what the longest list takes. */
const leastCandidates = 12;

export function looksFromWords(words: PromptReading, staging: Staging): WordLook[] {
  const homes = chooseHomes(words, staging);
  const modes = chooseModes(words);
  const gobos = chooseGobos(words);
  // Each home several times, with another light and other free materials each time: one may be all there is.
  const candidates = Array.from({ length: Math.ceil(leastCandidates / homes.length) }, () => homes).flat();
  return candidates.map(([composition, stands], index) => ({
    stands,
    look: {
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
  // Cold light on a peach wall is neither.
  if (words.light === 'cool') return ['cool', 'neutral', 'cool'];
  const stuff = words.materials.any ?? words.materials.floor ?? words.materials.pedestal;
  if (stuff) return modesOfStuff(stuff.material);
  return words.light === 'warm' ? ['warm', 'neutral', 'tonal', 'analogous'] : anyModes;
}

/** What a natural material is shown with: sand and wood on warm walls, stone on quiet ones; strong colours come last. */
function modesOfStuff(material: Material): readonly [PaletteMode, ...PaletteMode[]] {
  if (['sand', 'wood', 'travertine', 'linen'].includes(material)) {
    return ['warm', 'neutral', 'analogous', 'cool', 'complementary', 'tonal', 'triad'];
  }
  if (material === 'water')
    return ['cool', 'neutral', 'complementary', 'analogous', 'warm', 'tonal', 'triad'];
  return ['neutral', 'warm', 'cool', 'complementary', 'analogous', 'tonal', 'triad', 'bold-warm'];
}

type Home = readonly [Composition, readonly Stand[] | undefined];

/** Furniture keeps to rooms and wide stages, whatever small thing's set was named; what was named of it colours those. */
const largeHomes: readonly Composition[] = ['room', 'sweep', 'room', 'curtain'];

function chooseHomes(words: PromptReading, staging: Staging): Home[] {
  const { composition, materials } = words;
  if (staging === 'garment') return [['flatlay', undefined]];
  const isSuited = (home: Composition): boolean => compositionParts[home].stagings.includes(staging);
  if (staging === 'large') {
    const homes = composition && isSuited(composition) ? [composition] : largeHomes;
    const leafy = words.mood === 'natural' && !composition ? (['garden'] as const) : [];
    return [...leafy, ...homes].map((home) => [home, undefined]);
  }
  if (composition) return [...(companions[composition] ?? [[composition, undefined]])];
  const any = materials.any?.material ?? materials.floor?.material;
  // A shelf is as wide as the frame: no floor is seen under it.
  const isFloorAsked = materials.floor !== undefined || words.colors.floor !== undefined;
  const hasPedestal = materials.pedestal !== undefined || words.colors.pedestal !== undefined;
  const homes = hasPedestal || !any ? anyHomes : (homesOfMaterial[any] ?? solidHomes);
  // Dark or natural without a thing named: the homes that mood is at home in come first.
  const first: readonly Composition[] =
    words.mood === 'dark' ? ['luxury'] : words.mood === 'natural' ? ['garden', 'rocks'] : [];
  const all = [...(any || hasPedestal ? [] : first), ...homes].filter(
    (home) => !(hasPedestal && home === 'table') && !(isFloorAsked && home === 'shelf'),
  );
  const suited = all.filter(isSuited);
  // Asked for outright, a material is shown even where it suits the product less well.
  return (suited.length > 0 ? suited : all).map((home) => [home, undefined]);
}

function chooseGobos(words: PromptReading): readonly GoboKind[] {
  if (words.gobo) return [words.gobo];
  if (words.mood === 'dark') return ['none', 'slit', 'window', 'palm'];
  // Minimal sets are lit plainly; others would be bland without a pattern.
  return words.mood === 'minimal' ? ['none', 'window'] : ['window', 'palm', 'none', 'foliage'];
}

function chooseWarmth({ light, gobo }: PromptReading): LightWish['warmth'] {
  if (light === 'warm') return gobo === 'window' ? 'gold' : 'warm';
  return light === 'cool' ? 'cool' : 'day';
}

/** What a flat lay is laid on where no material was said. */
const freeLays: readonly Material[] = ['linen', 'plaster', 'matte'];

interface MaterialWish {
  readonly composition: Composition;
  /** Of the candidate: what the words leave open takes turns. */
  readonly index: number;
  readonly stands: readonly Stand[] | undefined;
  readonly staging: Staging;
}

function chooseMaterials(
  words: PromptReading,
  { composition, index, stands, staging }: MaterialWish,
): Pick<Look, 'wall' | 'floor' | 'pedestal'> {
  const { materials } = words;
  const isLarge = staging === 'large';
  const isOnGround = isLarge || staging === 'garment';
  const isSecond = index % 2 === 1;
  const said = materials.any?.material ?? (isOnGround ? materials.pedestal?.material : undefined);
  // Nobody lays clothes into a pool.
  const any = composition === 'flatlay' && said === 'water' ? undefined : said;
  // Where the product stands on the ground itself, the ground is where the material shows.
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

/** Under a wall of one paint the floor is of the same. */
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
