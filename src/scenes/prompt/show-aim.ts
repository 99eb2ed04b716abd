/** Checks whether a plan shows an aim (one request) of the prompt, and describes how. */

import type {
  Composition,
  Finish,
  GoboKind,
  Material,
  Prop,
  ScenePlan,
  Shape,
} from '../../studio/scene-plan.ts';
import { hueDistance, type Oklch, oklchFromHex } from '../oklch.ts';
import { nameBackground } from '../places/place-facts.ts';
import type { Aim, SpokenColor } from './prompt-reading.ts';
import type { Mood, Place } from './scene-words.ts';

/** Describes in plain words how the plan shows the aim; returns undefined if it does not. */
export function showAim(aim: Aim, plan: ScenePlan): string | undefined {
  switch (aim.type) {
    case 'color':
      return showColor(aim.place, aim.color, plan);
    case 'material-color':
      return showMaterialColor(aim.color, plan);
    case 'material':
      return showMaterial(aim.material, aim.place, plan);
    case 'composition':
      if (plan.place) return aim.composition === 'table' ? 'level surface' : undefined;
      return isComposed(aim.composition, plan) ? compositionNames[aim.composition] : undefined;
    case 'gobo':
      return plan.gobo.kind === aim.gobo ? goboNames[aim.gobo] : undefined;
    case 'light':
      return lightOf(plan) === aim.light ? `${aim.light} light` : undefined;
    case 'mood':
      return showMood(aim.mood, plan);
    case 'place':
      return nameBackground(plan);
    case 'shape':
      return propsOf(plan).some(
        ({ shape }) => shapeVariants[aim.shape]?.includes(shape) ?? shape === aim.shape,
      )
        ? shapeNames[aim.shape]
        : undefined;
    case 'absent':
      return propsOf(plan).some(({ shape }) => aim.shapes.includes(shape))
        ? undefined
        : `no ${nameAbsent(aim.shapes)}`;
  }
}

const placeNames: Record<Place, string> = {
  wall: 'wall',
  floor: 'floor',
  pedestal: 'stand',
  accent: 'accents',
};

/** Visible finishes of a part of the set. */
function finishesAt(place: Place, plan: ScenePlan): readonly Finish[] {
  const { surface, backdrop, pedestal, palette } = plan;
  const levels = pedestal?.levels ?? [];
  // In a photographed place, `backdrop` does not apply. The pedestal is then the table or floor on which the product
  // stands, so it counts as the floor and not as a stand.
  if (plan.place) return place === 'floor' && !plan.subject.hangs ? [surface] : [];
  if (place === 'wall') return [plan.composition === 'flatlay' ? surface : backdrop];
  if (place === 'floor') return isGroundHidden(plan) ? [] : [surface];
  if (place === 'pedestal') return levels;
  return [...levels.slice(0, -1), ...propsOf(plan)].filter(({ colors }) => colors[0] === palette[3]);
}

/** Whether the ground is hidden: the front of a shelf fills the whole picture below the product. */
export const isGroundHidden = ({ composition }: ScenePlan): boolean => composition === 'shelf';

const propsOf = ({ backProps, sideProps }: ScenePlan): readonly Prop[] => [...backProps, ...sideProps];

/** OKLCH tolerances for matching a color name; wide, because sets shift colors to contrast with the product. */
const nameTolerance = { hue: 20, lightness: 0.2, gray: 0.03 };

function isNamed(hex: string | undefined, asked: Oklch): boolean {
  if (hex === undefined) return false;
  const got = oklchFromHex(hex);
  if (Math.abs(got.l - asked.l) > nameTolerance.lightness) return false;
  if (asked.c < nameTolerance.gray || got.c < nameTolerance.gray / 2)
    return Math.abs(got.c - asked.c) <= nameTolerance.gray;
  return hueDistance(got.h, asked.h) <= nameTolerance.hue;
}

function showColor(place: Place, color: SpokenColor, plan: ScenePlan): string | undefined {
  const seen = finishesAt(place, plan).find(({ colors }) => isNamed(colors[0], color));
  const name = place === 'wall' && isLaid(plan) ? 'surface' : placeNames[place];
  return seen && `${nameOf(color)} ${name}`;
}

/** Whether the product lies on the ground; in a flat lay of a product that hangs, the ground is a wall. */
const isLaid = ({ composition, subject }: ScenePlan): boolean => composition === 'flatlay' && !subject.hangs;

const nameOf = ({ tint, name }: SpokenColor): string => (tint ? `${tint} ${name}` : name);

function showMaterialColor(color: SpokenColor, plan: ScenePlan): string | undefined {
  const seen = (['pedestal', 'floor', 'wall'] as const)
    .flatMap((place) => finishesAt(place, plan))
    .find(({ colors }) => isNamed(colors[0], color));
  return seen && `${nameOf(color)} ${materialNames[seen.material]}`;
}

function showMaterial(material: Material, asked: Place | 'any', plan: ScenePlan): string | undefined {
  const places = asked === 'any' ? (['pedestal', 'floor', 'wall'] as const) : [asked];
  const seen = places.filter((place) =>
    finishesAt(place, plan).some((finish) => finish.material === material),
  );
  if (seen.length === 0) return undefined;
  if (material === 'water') return compositionNames.water;
  if (plan.composition === 'dune' && material === 'sand') return compositionNames.dune;
  const isFlat = isLaid(plan) || plan.composition === 'table';
  const named = seen.map((place) => (isFlat && place === 'floor' ? 'surface' : placeNames[place]));
  // In a flat lay there is only the surface.
  const once =
    plan.composition !== 'flatlay' ? [...new Set(named)] : [plan.subject.hangs ? 'wall' : 'surface'];
  return `${materialNames[material]} ${once.join(' and ')}`;
}

const materialNames: Record<Material, string> = {
  plaster: 'plaster',
  matte: 'matte',
  lacquer: 'glossy',
  marble: 'marble',
  travertine: 'travertine',
  wood: 'wooden',
  concrete: 'concrete',
  terrazzo: 'terrazzo',
  linen: 'linen',
  satin: 'satin',
  sand: 'sand',
  stone: 'stone',
  water: 'water',
  metal: 'metal',
  glass: 'glass',
  leaf: 'leaf',
  petal: 'petal',
};

/** Whether the plan shows the composition, even as a part of another: a podium may stand in front of an arch. */
function isComposed(composition: Composition, plan: ScenePlan): boolean {
  const levels = plan.pedestal?.levels ?? [];
  if (composition === 'podium') return levels.some(({ shape }) => shape === 'cylinder');
  if (composition === 'block') return levels.length === 1 && levels[0]!.shape === 'box';
  if (composition === 'arch') return propsOf(plan).some(({ shape }) => shape === 'arch');
  if (composition === 'halo') return propsOf(plan).some(({ shape }) => shape === 'disc');
  if (composition === 'curtain') return propsOf(plan).some(({ shape }) => shape === 'curtain');
  // Checks the levels rather than `plan.composition`: in the set with steps, small products stand on a slab instead.
  if (composition === 'steps') return levels.length > 1 && levels.every(({ shape }) => shape === 'box');
  if (composition === 'columns') return propsOf(plan).some(({ shape }) => shape === 'cylinder');
  if (composition === 'flatlay') return isLaid(plan);
  return plan.composition === composition;
}

export const compositionNames: Record<Composition, string> = {
  podium: 'round stand',
  block: 'block as a stand',
  table: 'level surface in front of a wall',
  arch: 'arch',
  halo: 'disc',
  steps: 'steps',
  columns: 'columns',
  colorblock: 'plain shapes in strong colors',
  shelf: 'shelf on a wall',
  sweep: 'floor that curves into the wall',
  garden: 'palm leaves',
  curtain: 'curtain',
  drape: 'folded cloth',
  rocks: 'rocks',
  dune: 'sand dunes',
  water: 'shallow water',
  luxury: 'dark stage',
  room: 'corner of an empty room',
  flatlay: 'view from above',
};

const goboNames: Record<GoboKind, string> = {
  none: 'light without a pattern',
  window: 'light through a window',
  blinds: 'light through blinds',
  palm: 'shadow of palm leaves',
  foliage: 'shadow of leaves',
  slit: 'beam of light',
};

/** Compares red and blue of the key light; in daylight, red is 0.09 higher than blue. */
function lightOf({ key }: ScenePlan): 'warm' | 'cool' | undefined {
  const warmth = key.color[0] - key.color[2];
  if (warmth > 0.2) return 'warm';
  return warmth < -0.02 ? 'cool' : undefined;
}

const wallOf = (plan: ScenePlan): Oklch =>
  oklchFromHex((finishesAt('wall', plan)[0] ?? plan.surface).colors[0]!);

function showMood(mood: Mood, plan: ScenePlan): string | undefined {
  if (moodTests[mood](plan)) return moodNames[mood];
  const isGilded = finishesAt('accent', plan).some(({ material }) => material === 'metal');
  return mood === 'dark' && isGilded ? 'gold accents' : undefined;
}

const moodTests: Record<Mood, (plan: ScenePlan) => boolean> = {
  dark: (plan) => wallOf(plan).l < 0.5,
  bold: (plan) => wallOf(plan).c > 0.065,
  pastel: (plan) => wallOf(plan).l >= 0.68 && wallOf(plan).c <= 0.09,
  minimal: (plan) => plan.sideProps.length === 0,
  natural: (plan) => propsOf(plan).some(({ shape }) => plants.includes(shape)),
};
const moodNames: Record<Mood, string> = {
  dark: 'dark set',
  bold: 'strong colors',
  pastel: 'pale colors',
  minimal: 'few props',
  natural: 'leafy branches',
};

const plants: readonly Shape[] = ['branch', 'olive', 'palm', 'monstera', 'pampas'];

/** Shapes that may be drawn instead of a requested shape. */
const shapeVariants: Partial<Record<Shape, readonly Shape[]>> = {
  branch: ['branch', 'olive', 'monstera', 'pampas'],
  palm: ['palm', 'monstera'],
};

const shapeNames: Record<Shape, string> = {
  box: 'blocks',
  cylinder: 'columns',
  disc: 'disc',
  sphere: 'balls',
  arch: 'arch',
  panel: 'panels',
  pot: 'plant pot',
  vase: 'vase',
  stone: 'stones',
  branch: 'leafy branches',
  olive: 'olive branches',
  palm: 'palm leaves',
  monstera: 'monstera leaves',
  pampas: 'pampas grass',
  petals: 'petals',
  curtain: 'curtain',
};

function nameAbsent(shapes: readonly Shape[]): string {
  if (shapes.length > 6) return 'props';
  return shapes[0] === 'branch' ? 'plants' : shapeNames[shapes[0]!];
}
