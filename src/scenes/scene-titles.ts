/** Display titles of scenes: the stand, and the light or the wall that sets the mood. */

import type { Material, ScenePlan } from '../studio/scene-plan.ts';
import { hueDistance, type Oklch, oklchFromHex } from './oklch.ts';
import { colorEntries } from './prompt/color-words.ts';

const materialNames: Partial<Record<Material, string>> = {
  marble: 'Marble',
  travertine: 'Travertine',
  wood: 'Wood',
  concrete: 'Concrete',
  terrazzo: 'Terrazzo',
  linen: 'Linen',
  satin: 'Satin',
  sand: 'Sand',
  stone: 'Stone',
  water: 'Water',
  metal: 'Metal',
  glass: 'Glass',
};

/**
 * The words that follow the name of the material or color in a title, as in "Marble podium". Compositions that are not
 * listed are named after the color of their wall.
 */
const nouns: Partial<Record<ScenePlan['composition'], string>> = {
  podium: 'podium',
  block: 'block',
  table: 'table',
  arch: 'podium and arch',
  halo: 'stand and disc',
  steps: 'steps',
  columns: 'column',
  shelf: 'shelf',
  sweep: 'floor',
  garden: 'among leaves',
  curtain: 'stand',
  drape: 'folds',
  rocks: 'rocks',
  dune: 'dunes',
  water: 'in water',
  luxury: 'stand',
  flatlay: 'flat lay',
};

const lightNames: Record<ScenePlan['gobo']['kind'], string | undefined> = {
  none: undefined,
  window: 'window light',
  blinds: 'light through blinds',
  palm: 'palm shadow',
  foliage: 'leaf shadow',
  slit: 'beam of light',
};

/** Compositions in which the ground is the most prominent part. */
const groundFirst: ReadonlySet<string> = new Set(['table', 'drape', 'dune', 'flatlay', 'sweep', 'room']);

/** Unique titles for a list: light, wall and accents distinguish scenes with the same stand, or else a number. */
export function titleScenes(plans: readonly ScenePlan[]): string[] {
  const titles: string[] = [];
  for (const plan of plans) {
    const subject = nameSubject(plan);
    const wall = nameColor(plan.palette[0]);
    const accent = nameColor(plan.palette[3]);
    const light = lightNames[plan.gobo.kind];
    const isFlat = plan.composition === 'flatlay';
    const hasCurtain = plan.backProps.some(({ shape }) => shape === 'curtain');
    const behind = `${wall} ${hasCurtain ? 'curtain' : 'wall'}`;
    // Avoids "Sage studio, sage wall".
    const isSaid = isFlat || subject.toLowerCase().startsWith(wall);
    const ends = [
      ...(hasCurtain ? [behind] : []),
      ...(light ? [light] : []),
      ...(isSaid ? [] : [behind]),
      ...(isSaid && !light ? [undefined] : []),
      ...(showsAccent(plan) ? [`${accent} accents`] : []),
      ...(showsAccent(plan) && light ? [`${light}, ${accent} accents`] : []),
    ];
    const tries = ends.map((end) => (end === undefined ? subject : `${subject}, ${end}`));
    const numbered = Array.from(plans, (_, index) => `${tries[0]!} ${index + 2}`);
    titles.push([...tries, ...numbered].find((title) => !titles.includes(title))!);
  }
  return titles;
}

/** Whether anything that the accent color was chosen for is visible: props, or the lower levels of a stand. */
function showsAccent({ pedestal, backProps, sideProps, palette }: ScenePlan): boolean {
  const levels = pedestal?.levels.slice(0, -1) ?? [];
  return [...levels, ...backProps, ...sideProps].some(({ colors }) => colors[0] === palette[3]);
}

function nameSubject(plan: ScenePlan): string {
  const { composition, surface, pedestal, palette } = plan;
  const wall = capital(nameColor(palette[0]));
  if (composition === 'colorblock') return `${wall} shapes`;
  if (composition === 'room') return `${wall} room`;
  const top = pedestal?.levels.at(-1);
  const { material, colors } = top && !groundFirst.has(composition) ? top : surface;
  const stuff = materialNames[material];
  if (composition === 'sweep' && !stuff) return `${wall} studio`;
  if (plan.subject.hangs) return `${stuff ?? wall} wall`;
  const noun = top || groundFirst.has(composition) ? (nouns[composition] ?? 'stand') : 'floor';
  return `${stuff ?? capital(nameColor(colors[0] ?? palette[0]))} ${noun}`;
}

/** Below this OKLCH chroma, a paint looks white, gray or black. */
const coloredFrom = 0.016;

/**
 * The lexicon's nearest color name, metals excluded. Even a pale paint is matched by its hue, as people would name it.
 */
function nameColor(hex: string): string {
  const color = oklchFromHex(hex);
  const isColored = color.c >= coloredFrom;
  const named = colorEntries
    .map((entry) => entry.color)
    .filter(({ isMetal, c }) => !isMetal && c >= coloredFrom === isColored);
  const cost = (other: Oklch): number =>
    isColored
      ? hueDistance(color.h, other.h) / 30 +
        Math.abs(color.l - other.l) / 0.15 +
        Math.abs(color.c - other.c) / 0.06
      : Math.abs(color.l - other.l);
  const { name } = named.reduce((best, other) => (cost(other) < cost(best) ? other : best));
  return name === 'sky' ? 'sky blue' : name;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
