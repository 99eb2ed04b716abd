/**
 * Plans the lists of scenes for one product, in sets and real places: styles, setups (combinations of composition,
 * materials, light and colors), and variety within each list.
 */
import type { Variant } from '../recipes/catalogue.ts';
import {
  hasScenes,
  listPresetSettings,
  listPresetStyles,
  type Preset,
  type SceneStyle,
} from '../recipes/presets.ts';
import type { ScenePlan } from '../studio/scene-plan.ts';
import { colorDistance, type Oklch, oklchFromHex } from './oklch.ts';
import { paletteDistance } from './palette.ts';
import type { PromptReading } from './parse-prompt.ts';
import { settingOf } from './places/place-facts.ts';
import { planPlaces, showsInPlace } from './places/plan-places.ts';
import { findPose } from './product/pose.ts';
import { usualLength } from './product/real-lengths.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ProductKind } from './product-kind.ts';
import { listSetups, pickSetups, rankStyles } from './rank-styles.ts';
import { titleScenes } from './scene-titles.ts';
import { hashSeed } from './seeded-random.ts';
import { composeSet } from './sets/compose-set.ts';
import { lightFoot } from './sets/foot-light.ts';
import { type Setup, styleTitles } from './sets/setups.ts';
import { setupsFromWords, type WordSetup } from './sets/setups-from-words.ts';

export interface SceneRequest {
  readonly product: Pick<ProductKind, 'kind' | 'staging' | 'lengthCm' | 'indoors' | 'fallsOver'>;
  readonly features: ProductFeatures;
  readonly words: PromptReading | undefined;
  readonly ratio: Variant;
  readonly preset: Preset;
  /** 0 to 4294967295; the same request and seed give the same plans. */
  readonly seed: number;
}

export interface PlannedScene {
  /** Display title, such as "Marble podium". */
  readonly title: string;
  readonly plan: ScenePlan;
}

export interface SceneList {
  readonly id: 'words' | 'picked' | 'places' | SceneStyle;
  readonly title: string;
  readonly scenes: readonly PlannedScene[];
}

/** Three lists of four scenes: two cores can render twelve previews while the shopper looks at the first list. */
const defaultLists = 3;
const defaultPerList = 4;

export function planScenes(asked: SceneRequest): SceneList[] {
  const request = keepPose(asked);
  const { preset, seed } = request;
  const styles = listPresetStyles(preset);
  const lists = preset.lists ?? defaultLists;
  if (!hasScenes(preset) || lists === 0) return [];
  const ranked = rankStyles(request).filter((style) => styles.includes(style));
  const planned: SceneList[] = [];
  const taken: ScenePlan[] = [];
  const addPlaces = (id: 'words' | 'places', title: string) => {
    const scenes = planPlaces(
      id === 'words' ? request : { ...request, words: undefined },
      preset.perList ?? defaultPerList,
      hashSeed(seed, id, 'place'),
    );
    if (scenes.length > 0) planned.push({ id, title, scenes });
  };
  const add = (id: SceneList['id'], title: string, wish: FreeWish) => {
    const plans = fillList({ ...wish, request, listSeed: hashSeed(seed, id), taken });
    if (plans.length === 0) return;
    taken.push(...plans);
    const titles = titleScenes(plans);
    planned.push({ id, title, scenes: plans.map((plan, index) => ({ title: titles[index]!, plan })) });
  };
  const brand = brandOf(preset);
  const spoken = wishFromWords(request);
  if (asksForPlace(request)) addPlaces('words', 'From your words');
  else if (spoken && styles.length > 0) add('words', 'From your words', spoken);
  if (planned.length < lists && styles.length > 2) {
    const setups = pickSetups(ranked, request);
    add('picked', 'Picked for your product', { candidates: setups.map(asIs), spoken: false, brand });
  }
  if (planned.length < lists && !asksForPlace(request)) addPlaces('places', 'In a real place');
  for (const style of ranked) {
    if (planned.length >= lists) break;
    const setups = listSetups(style, request);
    const { title, colors } = titleStyle(style, brand, planned);
    add(style, title, {
      candidates: setups.map(asIs),
      spoken: false,
      brand: colors,
      fits: isWallOfStyle[style],
    });
  }
  return planned;
}

/** Plans only the list for the prompt, as `planScenes` does; empty if the prompt requests nothing about the set. */
export function planSpokenScenes(asked: SceneRequest): ScenePlan[] {
  const request = keepPose(asked);
  const isSet = hasScenes(request.preset) && request.preset.lists !== 0;
  if (isSet && asksForPlace(request)) {
    const count = request.preset.perList ?? defaultPerList;
    return planPlaces(request, count, hashSeed(request.seed, 'words', 'place')).map(({ plan }) => plan);
  }
  const isStudio = listPresetStyles(request.preset).length > 0;
  const wish = isSet && isStudio ? wishFromWords(request) : undefined;
  return wish ? fillList({ ...wish, request, listSeed: hashSeed(request.seed, 'words'), taken: [] }) : [];
}

/** A product that cannot stand as it was photographed is seen from above, as clothes are, or in front of a wall. */
function keepPose(request: SceneRequest): SceneRequest {
  const { product, features } = request;
  const { staging, lengthCm = usualLength(staging) } = product;
  const pose = findPose(features, product.fallsOver);
  if (pose === 'hung') return { ...request, product: { ...product, staging: 'hung', lengthCm } };
  if (staging === 'large' || pose === 'standing') return request;
  return { ...request, product: { ...product, staging: 'garment', lengthCm } };
}

function asksForPlace({ words, product, preset }: SceneRequest): boolean {
  // A preset with brand colors offers real places only if the prompt asks for one.
  const allowed = listPresetSettings({ ...preset, palette: undefined });
  const isAllowed = words?.places.some((name) => allowed.includes(settingOf(name))) ?? false;
  return isAllowed && showsInPlace(product.staging);
}

function wishFromWords({ words, product, preset }: SceneRequest): FreeWish | undefined {
  if (!words || !asksForSet(words)) return undefined;
  return { candidates: setupsFromWords(words, product.staging), spoken: true, brand: brandOf(preset) };
}

const brandOf = (preset: Preset): string[] => preset.palette?.map((hex) => hex.toUpperCase()) ?? [];

const asIs = (setup: Setup): WordSetup => ({ setup, stands: undefined });

/** Whether a wall (OKLCH) fits the style's title. Styles without an entry describe things in front of the wall. */
const isWallOfStyle: Partial<Record<SceneStyle, (wall: Oklch) => boolean>> = {
  color: ({ l, c }) => c >= 0.055 && l >= 0.4,
  pastel: ({ l, c }) => l >= 0.68 && c >= 0.015 && c <= 0.075,
  dark: ({ l }) => l <= 0.5,
};

/** Returns the style's title and the brand colors that fit it; if none fit, a neutral title and all brand colors. */
function titleStyle(
  style: SceneStyle,
  brand: readonly string[],
  planned: readonly SceneList[],
): { title: string; colors: readonly string[] } {
  const holds = isWallOfStyle[style];
  const fitting = holds ? brand.filter((hex) => holds(oklchFromHex(hex))) : brand;
  if (brand.length === 0 || fitting.length > 0) return { title: styleTitles[style], colors: fitting };
  const isSaid = planned.some(({ title }) => title === 'In your colors');
  return { title: isSaid ? 'More in your colors' : 'In your colors', colors: brand };
}

/** False for a prompt that only names the product. */
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

/**
 * Passes of `fillList` over all candidates. The round determines how different a plan must be (see `isNew`). With
 * `reuse`, a setup may appear in the list again: in round 1 only in different colors, in later rounds also in similar
 * ones.
 */
const passes = [
  { round: 0, reuse: false },
  { round: 1, reuse: false },
  { round: 1, reuse: true },
  { round: 1, reuse: true },
  { round: 2, reuse: true },
  { round: 3, reuse: true },
  { round: 4, reuse: true },
  { round: 4, reuse: true },
  { round: 4, reuse: true },
  { round: 4, reuse: true },
] as const;

type Round = 0 | 1 | 2 | 3 | 4;

interface ListWish {
  readonly request: SceneRequest;
  readonly listSeed: number;
  readonly candidates: readonly WordSetup[];
  readonly spoken: boolean;
  /** Wall colors to use in turn, `#RRGGBB` in upper case; if empty, the palette chooses the wall's color. */
  readonly brand: readonly string[];
  /** Whether a wall that is not in a brand color fits the list's title. */
  readonly fits?: ((wall: Oklch) => boolean) | undefined;
  /** Plans of the preceding lists. */
  readonly taken: readonly ScenePlan[];
}

type FreeWish = Omit<ListWish, 'request' | 'listSeed' | 'taken'>;

/**
 * Takes candidates in order, each with the first palette that differs from all previous plans. Later rounds
 * relax the criteria, so that a list is filled even if the prompt leaves little to vary.
 */
function fillList(wish: ListWish): ScenePlan[] {
  const { request, candidates } = wish;
  const count = request.preset.perList ?? defaultPerList;
  const chosen: ScenePlan[] = [];
  const used = new Set<number>();
  for (const [pass, { round, reuse }] of passes.entries()) {
    for (const [index, candidate] of candidates.entries()) {
      if (chosen.length >= count) return chosen;
      if (used.has(index) && !reuse) continue;
      const plan = findNew(wish, candidate, {
        chosen,
        round,
        attempt: index + pass,
        seed: hashSeed(wish.listSeed, index, pass),
      });
      if (!plan) continue;
      used.add(index);
      chosen.push(plan);
    }
  }
  return chosen;
}

interface Search {
  readonly chosen: readonly ScenePlan[];
  readonly round: Round;
  /** Differs between the attempts of the last round, so that each of them tries another floor. */
  readonly attempt: number;
  readonly seed: number;
}

/** Returns the candidate's plan with the first palette or brand color that makes it new, undefined if none does. */
function findNew(
  { request, listSeed, spoken, brand, fits, taken }: ListWish,
  { setup, stands }: WordSetup,
  { chosen, round, attempt, seed }: Search,
): ScenePlan | undefined {
  const { features, product, ratio, words } = request;
  for (const [turn, mode] of setup.modes.entries()) {
    const wall = brand[(chosen.length + turn) % Math.max(1, brand.length)];
    const others = brand.filter((hex) => hex !== wall);
    const plan = composeSet({
      setup,
      mode,
      staging: product.staging,
      ratio,
      features,
      lengthCm: product.lengthCm ?? usualLength(product.staging),
      words: spoken ? words : undefined,
      stands,
      brand: wall === undefined ? undefined : { wall, accent: others[turn % Math.max(1, others.length)] },
      floorTurn: hashSeed(listSeed, 'floor') + chosen.length + (round === 4 ? attempt : 0),
      seed: hashSeed(seed, mode),
    });
    const isTrue = wall !== undefined || fits === undefined || fits(oklchFromHex(plan.palette[0]));
    if (isTrue && isNew(plan, chosen, taken, round)) {
      return lightFoot(plan, spoken && words?.gobo !== undefined);
    }
  }
  return undefined;
}

/** Below this distance (see `wallDistance`), walls look the same to a shopper. */
const sameWall = 0.035;

/** Minimum distance between the walls of two plans with the same composition in one list. */
const farWall = 0.06;

/**
 * Whether the plan differs enough from each plan of the list. Later rounds require less. Round 0: a different
 * composition and different colors. Round 1: different colors. Round 2: a different composition or clearly different
 * colors. Round 3: a different composition or different colors. Round 4: any visible difference.
 */
function isNew(
  plan: ScenePlan,
  list: readonly ScenePlan[],
  taken: readonly ScenePlan[],
  round: Round,
): boolean {
  const inList = list.every((other) => {
    const sameComposition = other.composition === plan.composition;
    const apart = wallDistance(plan, other);
    if (round === 0) return !sameComposition && apart >= sameWall;
    if (round === 1) return apart >= (sameComposition ? farWall : sameWall);
    if (round < 4 && sameComposition) return apart >= (round === 2 ? farWall : sameWall);
    return isVisiblyDifferent(plan, other);
  });
  const apartFrom = (other: ScenePlan): boolean =>
    round < 2
      ? wallDistance(plan, other) >= (other.composition === plan.composition ? farWall : sameWall)
      : isVisiblyDifferent(plan, other);
  return inList && taken.every(apartFrom);
}

/** OKLab distance in which lightness counts half: in one list, a light and a dark beige look like the same idea. */
function wallDistance(one: ScenePlan, other: ScenePlan): number {
  const [wall, otherWall] = [one, other].map(({ palette }) => oklchFromHex(palette[0]));
  return colorDistance({ ...wall!, l: wall!.l / 2 }, { ...otherWall!, l: otherWall!.l / 2 });
}

/** Whether composition, materials, light pattern or props differ, or the colors are clearly different. */
function isVisiblyDifferent(one: ScenePlan, other: ScenePlan): boolean {
  if (signature(one) !== signature(other)) return true;
  return paletteDistance(paletteOf(one), paletteOf(other)) >= 0.04;
}

function signature({ composition, surface, pedestal, gobo, backProps, sideProps }: ScenePlan): string {
  const stand = pedestal?.levels.map(({ shape, material }) => `${shape}:${material}`).join();
  const props = [...backProps, ...sideProps].map(({ shape }) => shape).join();
  // The boards of a room have one of several colors.
  const floor = composition === 'room' ? surface.colors[0] : surface.material;
  return [composition, floor, stand, gobo.kind, props].join('|');
}

function paletteOf({ palette }: ScenePlan) {
  const [wall, floor, pedestal, accent] = palette.map(oklchFromHex);
  return { wall: wall!, floor: floor!, pedestal: pedestal!, accent: accent! };
}
