/** Plans the lists of studio scenes for one product: which styles, which looks, and no two of a list alike. */
import type { Variant } from '../recipes/catalogue.ts';
import { listPresetStyles, type Preset, type SceneStyle } from '../recipes/presets.ts';
import { colorDistance, oklchFromHex } from './oklch.ts';
import { paletteDistance } from './palette.ts';
import type { PromptReading } from './parse-prompt.ts';
import type { ProductKindName } from './product/kind-words.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ProductKind } from './product-kind.ts';
import type { ScenePlan, Staging } from './scene-plan.ts';
import { createRandom, hashSeed } from './seeded-random.ts';
import { composeSet } from './sets/compose-set.ts';
import { compositionParts } from './sets/compositions.ts';
import { type Look, looksByStyle, styleTitles } from './sets/looks.ts';
import { looksFromWords, type WordLook } from './sets/looks-from-words.ts';

export interface SceneRequest {
  readonly product: Pick<ProductKind, 'kind' | 'staging'>;
  readonly features: ProductFeatures;
  readonly words: PromptReading | undefined;
  readonly ratio: Variant;
  readonly preset: Preset;
  /** 0 to 4294967295; the same request with the same seed gives the same plans. */
  readonly seed: number;
}

export interface PlannedScene {
  /** For people: "Marble podium". */
  readonly title: string;
  readonly plan: ScenePlan;
}

export interface SceneList {
  readonly id: 'words' | 'picked' | SceneStyle;
  readonly title: string;
  readonly scenes: readonly PlannedScene[];
}

/** Eight previews are what two cores can have ready while somebody waits (6 s). */
const defaultLists = 2;
const defaultPerList = 4;

export function planScenes(request: SceneRequest): SceneList[] {
  const { words, preset, product, seed } = request;
  const styles = listPresetStyles(preset);
  if (styles.length === 0) return [];
  const lists = preset.lists ?? defaultLists;
  const perList = preset.perList ?? defaultPerList;
  const ranked = rankStyles(product.kind, product.staging, words).filter((style) => styles.includes(style));
  const planned: SceneList[] = [];
  const taken: ScenePlan[] = [];
  const add = (
    id: SceneList['id'],
    title: string,
    candidates: readonly WordLook[],
    spoken: boolean,
  ): void => {
    const plans = fillList({
      request,
      listSeed: hashSeed(seed, id),
      candidates,
      spoken,
      count: perList,
      taken,
    });
    taken.push(...plans);
    planned.push({ id, title, scenes: plans.map((plan) => ({ title: describePlan(plan), plan })) });
  };
  if (words && words.understood.length > 0 && asksForSet(words)) {
    add('words', 'From your words', looksFromWords(words, product.staging), true);
  }
  if (planned.length < lists && styles.length > 2)
    add('picked', 'Picked for your product', pickLooks(ranked, request), false);
  for (const style of ranked) {
    if (planned.length >= lists) break;
    const looks = suitedLooks(style, product.staging);
    const turned = createRandom(hashSeed(seed, style)).shuffle(looks);
    add(
      style,
      styleTitles[style],
      turned.map((look) => ({ look, stands: undefined })),
      false,
    );
  }
  return planned;
}

/** A prompt that only names the product asks for no set of its own. */
function asksForSet({
  colors,
  materials,
  composition,
  gobo,
  light,
  mood,
  shapes,
  unwanted,
}: PromptReading): boolean {
  return (
    Object.keys(colors).length + Object.keys(materials).length + shapes.length + unwanted.length > 0 ||
    [composition, gobo, light, mood].some((said) => said !== undefined)
  );
}

/** Which sets fit: from rendered sheets, by kind; what a kind does not name follows in the order of `everyStyle`. */
const stylesOfKind: Partial<Record<ProductKindName, readonly SceneStyle[]>> = {
  'Health & Beauty': ['stone', 'pastel', 'nature', 'fabric', 'dark'],
  'Food, Beverages & Tobacco': ['wood', 'nature', 'color', 'stone'],
  'Apparel & Accessories': ['studio', 'stone', 'color', 'fabric', 'nature'],
  'Luggage & Bags': ['studio', 'stone', 'color', 'nature'],
  'Home & Garden': ['wood', 'stone', 'pastel', 'nature', 'studio'],
  Media: ['wood', 'pastel', 'studio', 'color'],
  'Office Supplies': ['wood', 'studio', 'color', 'pastel'],
  Electronics: ['studio', 'dark', 'color', 'stone'],
  'Cameras & Optics': ['dark', 'studio', 'stone', 'wood'],
  Furniture: ['studio', 'wood', 'pastel', 'nature'],
  'Toys & Games': ['color', 'pastel', 'studio', 'wood'],
  'Baby & Toddler': ['pastel', 'fabric', 'studio', 'wood'],
  'Sporting Goods': ['studio', 'color', 'stone', 'dark'],
  'Vehicles & Parts': ['studio', 'dark', 'nature', 'color'],
  Hardware: ['studio', 'stone', 'wood', 'dark'],
};
const stylesOfStaging: Partial<Record<Staging, readonly SceneStyle[]>> = {
  'small-precious': ['stone', 'fabric', 'dark', 'pastel'],
  garment: ['fabric', 'studio', 'pastel', 'wood'],
};
const everyStyle: readonly SceneStyle[] = [
  'stone',
  'wood',
  'color',
  'studio',
  'pastel',
  'nature',
  'dark',
  'fabric',
];
const styleOfMood = {
  dark: 'dark',
  bold: 'color',
  pastel: 'pastel',
  minimal: 'studio',
  natural: 'nature',
} as const;

function rankStyles(kind: ProductKindName, staging: Staging, words: PromptReading | undefined): SceneStyle[] {
  const spoken = words?.mood ? [styleOfMood[words.mood]] : [];
  return [...new Set([...spoken, ...(stylesOfStaging[staging] ?? stylesOfKind[kind] ?? []), ...everyStyle])];
}

function suitedLooks(style: SceneStyle, staging: Staging): Look[] {
  return looksByStyle[style].filter(({ composition }) =>
    compositionParts[composition].stagings.includes(staging),
  );
}

/** Two of the safest style, then one of each that contrasts: the next two, a bold one, a dark or natural one. */
function pickLooks(ranked: readonly SceneStyle[], { product, seed }: SceneRequest): WordLook[] {
  const random = createRandom(hashSeed(seed, 'picked'));
  const [safe = 'studio', ...others] = ranked;
  const bold = others.find((style) => style === 'color');
  const edge = others.find((style) => style === 'dark' || style === 'nature');
  const order = [...new Set([safe, others[0], edge, bold, others[1], ...others])].filter(
    (style) => style !== undefined,
  );
  const pools = order.map((style) => random.shuffle(suitedLooks(style, product.staging)));
  // Round after round, one of each: later rounds only matter where the first ones came out alike.
  const rounds = Math.max(...pools.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => pools.flatMap((pool) => pool[round] ?? []))
    .flat()
    .map((look) => ({ look, stands: undefined }));
}

/** See `isNew`. A look may come again, in other colours, before colours may come again. */
const passes = [
  { round: 0, reuse: false },
  { round: 1, reuse: false },
  { round: 1, reuse: true },
  { round: 1, reuse: true },
  { round: 2, reuse: true },
  { round: 3, reuse: true },
  { round: 3, reuse: true },
] as const;

interface ListWish {
  readonly request: SceneRequest;
  readonly listSeed: number;
  readonly candidates: readonly WordLook[];
  readonly spoken: boolean;
  readonly count: number;
  /** Plans of the lists before. */
  readonly taken: readonly ScenePlan[];
}

/**
 * Takes candidates in order, each with the first of its palettes that differs from all plans before. Rounds
 * ask for less and less, so that a list is full even where the words leave little to vary.
 */
function fillList({ request, listSeed, candidates, spoken, count, taken }: ListWish): ScenePlan[] {
  const { features, product, ratio, words, preset } = request;
  const brand = preset.palette?.map((hex) => oklchFromHex(hex.toUpperCase())) ?? [];
  const chosen: ScenePlan[] = [];
  const used = new Set<number>();
  for (const [pass, { round, reuse }] of passes.entries()) {
    for (const [index, { look, stands }] of candidates.entries()) {
      if (chosen.length >= count) return chosen;
      if (used.has(index) && !reuse) continue;
      let plan: ScenePlan | undefined;
      for (const [turn, mode] of look.modes.entries()) {
        const drawn = composeSet({
          look,
          mode,
          staging: product.staging,
          ratio,
          features,
          words: spoken ? words : undefined,
          stands,
          wallColor: brand.length > 0 ? brand[(chosen.length + turn) % brand.length] : undefined,
          seed: hashSeed(listSeed, index, mode, pass),
        });
        if (isNew(drawn, chosen, taken, round)) {
          plan = drawn;
          break;
        }
      }
      if (!plan) continue;
      used.add(index);
      chosen.push(plan);
    }
  }
  return chosen;
}

/** Under this the walls are the same to a shopper (OKLab). */
const sameWall = 0.05;

/** Round 0: another composition and other colours. 1: other colours. 2: one of both. 3: anything that can be seen. */
function isNew(
  plan: ScenePlan,
  list: readonly ScenePlan[],
  taken: readonly ScenePlan[],
  round: 0 | 1 | 2 | 3,
): boolean {
  const inList = list.every((other) => {
    const sameComposition = other.composition === plan.composition;
    const sameColors = wallDistance(plan, other) < sameWall;
    if (round === 0) return !sameComposition && !sameColors;
    if (round === 1) return !sameColors;
    if (round === 2) return !sameComposition || !sameColors;
    return isVisiblyDifferent(plan, other);
  });
  const apartFrom = (other: ScenePlan): boolean =>
    round < 2
      ? other.composition !== plan.composition || wallDistance(plan, other) >= sameWall
      : isVisiblyDifferent(plan, other);
  return inList && taken.every(apartFrom);
}

function wallDistance(one: ScenePlan, other: ScenePlan): number {
  return colorDistance(oklchFromHex(one.palette[0]), oklchFromHex(other.palette[0]));
}

/** Another composition, stuff, light pattern or set of props; or clearly other colours. */
function isVisiblyDifferent(one: ScenePlan, other: ScenePlan): boolean {
  if (signature(one) !== signature(other)) return true;
  return paletteDistance(paletteOf(one), paletteOf(other)) >= 0.04;
}

function signature({ composition, surface, pedestal, gobo, backProps, sideProps }: ScenePlan): string {
  const stand = pedestal?.levels.map(({ shape, material }) => `${shape}:${material}`).join();
  const props = [...backProps, ...sideProps].map(({ shape }) => shape).join();
  return [composition, surface.material, stand, gobo.kind, props].join('|');
}

function paletteOf({ palette }: ScenePlan) {
  const [wall, floor, pedestal, accent] = palette.map(oklchFromHex);
  return { wall: wall!, floor: floor!, pedestal: pedestal!, accent: accent! };
}

const compositionNames: Record<ScenePlan['composition'], string> = {
  podium: 'podium',
  block: 'block',
  table: 'table',
  arch: 'stand before an arch',
  halo: 'stand before a disc',
  steps: 'steps',
  columns: 'stand among columns',
  colorblock: 'blocks of colour',
  shelf: 'shelf',
  sweep: 'studio sweep',
  garden: 'stand among leaves',
  curtain: 'stand before a curtain',
  drape: 'folds',
  rocks: 'rocks',
  dune: 'dunes',
  water: 'water',
  luxury: 'dark stage',
  flatlay: 'flat lay',
};
/** Compositions whose ground is what one sees first. */
const groundFirst: ReadonlySet<string> = new Set(['table', 'drape', 'dune', 'water', 'flatlay', 'sweep']);

function describePlan({ composition, surface, pedestal }: ScenePlan): string {
  const top = pedestal?.levels.at(-1)?.material;
  const stuff = groundFirst.has(composition) || !top ? surface.material : top;
  const full = compositionNames[composition];
  const name = pedestal ? full : full.replace('stand ', 'set ');
  const isSaid =
    name.includes(stuff) || composition === 'dune' || stuff === 'matte' || composition === 'colorblock';
  const words = isSaid ? name : `${stuff} ${name}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
