/** What a scene is called, for people: what the product stands on, and the light or the wall that sets the mood. */
import { colorDistance, oklchFromHex } from './oklch.ts';
import { colorEntries } from './prompt/color-words.ts';
import type { Material, ScenePlan } from './scene-plan.ts';

const stuffNames: Partial<Record<Material, string>> = {
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

const nouns: Record<ScenePlan['composition'], string> = {
  podium: 'podium',
  block: 'block',
  table: 'table',
  arch: 'podium and arch',
  halo: 'stand and disc',
  steps: 'steps',
  columns: 'columns',
  colorblock: 'shapes',
  shelf: 'shelf',
  sweep: 'studio',
  garden: 'among leaves',
  curtain: 'and curtain',
  drape: 'folds',
  rocks: 'rocks',
  dune: 'dunes',
  water: 'and water',
  luxury: 'on a dark stage',
  room: 'floor',
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

/** Compositions whose ground is what one sees first. */
const groundFirst: ReadonlySet<string> = new Set(['table', 'drape', 'dune', 'flatlay', 'sweep', 'room']);

/** Titles of a list, each said once: where two would be the same, the wall's colour tells them apart. */
export function titleScenes(plans: readonly ScenePlan[]): string[] {
  const titles: string[] = [];
  for (const plan of plans) {
    const subject = nameSubject(plan);
    const walled = `${subject}, ${nameColor(plan.palette[0])} wall`;
    const light = lightNames[plan.gobo.kind];
    const isFlat = plan.composition === 'flatlay';
    const lit = light ? `${subject}, ${light}` : isFlat ? subject : walled;
    const tries = [lit, ...(isFlat ? [] : [walled]), `${lit}, ${nameColor(plan.palette[3])} accent`];
    titles.push(tries.find((title) => !titles.includes(title)) ?? lit);
  }
  return titles;
}

function nameSubject({ composition, surface, pedestal, palette }: ScenePlan): string {
  const top = pedestal?.levels.at(-1);
  const isGround = groundFirst.has(composition) || !top;
  const { material, colors } = isGround ? surface : top;
  const stuff = stuffNames[material] ?? capital(nameColor(colors[0] ?? palette[0]));
  if (composition === 'colorblock') return `${capital(nameColor(palette[0]))} shapes`;
  const noun = top || isGround ? nouns[composition] : 'studio';
  return `${stuff} ${noun}`;
}

/** The nearest of the colours that prompts can name, metals apart. */
function nameColor(hex: string): string {
  const color = oklchFromHex(hex);
  const named = colorEntries.map((entry) => entry.color).filter(({ isMetal }) => !isMetal);
  const { name } = named.reduce((best, other) =>
    colorDistance(other, color) < colorDistance(best, color) ? other : best,
  );
  return name === 'sky' ? 'sky blue' : name;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
