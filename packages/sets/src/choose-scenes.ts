/**
 * Chooses sets and places for a product and fits them: by tags, style and color, in an order that a seed decides, with
 * as much variety in each list as there is. Deterministic.
 */
import { readFileSync } from 'node:fs';
import { createRandom, hashSeed, type Variant } from 'packshot-pixels';
import { placeNames, type ScenePlan } from 'packshot-studio';
import { z } from 'zod';
import { conceptOf, materialOf } from './dictionary.ts';
import { fitPlace } from './fit-place.ts';
import { fitSet } from './fit-set.ts';
import { colorDistance, oklchFromHex } from './oklch.ts';
import type { SceneFiles } from './open-sets.ts';
import { type ProductKindName, productKinds } from './product/product-kinds.ts';
import type { FittedProduct } from './product-suit.ts';
import {
  hasScenes,
  listPresetSettings,
  listPresetStyles,
  type ScenePreset,
  type SceneStyle,
  sceneStyles,
} from './scene-styles.ts';
import { titleScene } from './scene-title.ts';
import type { SceneFile } from './set-file.ts';
import { wantSet } from './want-set.ts';
import type { Wanted } from './wanted.ts';

export interface SceneRequest {
  readonly files: SceneFiles;
  readonly product: FittedProduct;
  readonly kind: ProductKindName;
  readonly wanted: Wanted | undefined;
  readonly ratio: Variant;
  readonly preset: ScenePreset;
  /** Tags and ids of sets and places that must not appear. */
  readonly exclude: readonly string[];
  /** 0 to 4294967295; the same request, seed and page give the same plans. */
  readonly seed: number;
  /** From 1; every page continues the lists. */
  readonly page: number;
}

export interface PlannedScene {
  /** Display title, such as "Marble podium, sage wall". */
  readonly title: string;
  readonly plan: ScenePlan;
  readonly file: SceneFile;
}

export interface SceneList {
  readonly id: 'words' | 'picked' | 'places' | SceneStyle;
  readonly title: string;
  readonly scenes: readonly PlannedScene[];
}

const defaultLists = 3;
const defaultPerList = 4;

export const styleTitles: Readonly<Record<SceneStyle, string>> = {
  stone: 'Stone & marble',
  wood: 'Warm wood',
  color: 'Bold color',
  pastel: 'Soft pastels',
  nature: 'Sand, water & leaves',
  dark: 'Dark & elegant',
  fabric: 'Linen & silk',
  studio: 'Clean studio',
};

const tastes = z
  .record(
    z.enum(productKinds),
    z.strictObject({
      styles: z.array(z.enum(sceneStyles)),
      places: z.array(z.enum(placeNames)),
      avoids: z.array(z.string()).default([]),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('./data/kinds.json', import.meta.url), 'utf8')));

/** Styles that draw the eye are rarer, unless they suit the kind of product. */
const usualWeight: Readonly<Record<SceneStyle, number>> = {
  studio: 1.2,
  stone: 1.2,
  wood: 1,
  pastel: 1,
  fabric: 0.8,
  nature: 0.7,
  color: 0.6,
  dark: 0.5,
};
const suitedWeight = 2;

export function chooseScenes(request: SceneRequest): SceneList[] {
  const { preset, wanted } = request;
  const count = preset.lists ?? defaultLists;
  if (!hasScenes(preset) || count === 0) return [];
  const offers = listOffers(request);
  const lists: SceneList[] = [];
  const add = (id: SceneList['id'], title: string, pool: readonly Offer[], asked?: Wanted): void => {
    if (lists.length >= count || pool.length === 0) return;
    lists.push({ id, title, scenes: fillPages(pool, request, id, asked, lists) });
  };
  const asked = wanted ? matchWords(listOffers(request, true), request.product, wanted) : [];
  add('words', 'From your words', asked, wanted);
  const plain = offers.filter(({ file }) => isUnasked(file, request));
  const ofKind = (kind: SceneFile['kind']) => plain.filter(({ file }) => file.kind === kind);
  const [answer] = lists;
  // An operator who names styles gets a list of each.
  if (!answer && preset.styles === undefined) add('picked', 'Picked for your product', ofKind('set'));
  // A prompt that asks for places already has them in its own list.
  if (!answer?.scenes.every(({ file }) => file.kind === 'place'))
    add('places', 'In a real place', ofKind('place'));
  if (answer) add('picked', 'Picked for your product', ofKind('set'));
  const ofStyle = (style: SceneStyle) =>
    plain.filter(({ file }) => file.kind === 'set' && file.style === style);
  // A list of one set would show it four times.
  const isOneSet = (style: SceneStyle) => Number(ofStyle(style).length === 1);
  for (const style of stylesFor(request).toSorted((one, other) => isOneSet(one) - isOneSet(other))) {
    const pool = ofStyle(style);
    add(style, preset.palette?.length ? brandTitle(lists) : styleTitles[style], pool);
  }
  return lists;
}

const brandTitle = (lists: readonly SceneList[]): string =>
  lists.some(({ title }) => title === 'In your colors') ? 'More in your colors' : 'In your colors';

/** Suited styles first, then all others that the preset allows. */
function stylesFor({ kind, preset }: SceneRequest): SceneStyle[] {
  const allowed = listPresetStyles(preset);
  return [...new Set([...tastes[kind].styles, ...sceneStyles])].filter((style) => allowed.includes(style));
}

interface Offer {
  readonly file: SceneFile;
  /** Larger comes earlier, on average. */
  readonly weight: number;
  /** How well it answers the prompt; all better ones come first. */
  readonly score: number;
}

/** `asked`: also those that suit the product only if a prompt asks for them. */
function listOffers(request: SceneRequest, asked = false): Offer[] {
  const { files, product, kind, preset, exclude } = request;
  const taste = tastes[kind];
  const styles = listPresetStyles(preset);
  const settings = listPresetSettings(asked ? { ...preset, palette: undefined } : preset);
  const suits = (file: SceneFile): boolean =>
    standsWhole(file, product) && isSeenFromHighEnough(file, product) && isFor(file);
  const isFor = ({ id, tags, offered, asked: further }: SceneFile): boolean =>
    (offered.includes(product.suit) || (asked && further.includes(product.suit))) &&
    !exclude.includes(id) &&
    !tags.some((tag) => exclude.includes(tag));
  const sets = files.sets
    .filter((set) => suits(set) && styles.includes(set.style))
    .map((file) => ({ file, weight: weighStyle(taste.styles, file.style), score: 0 }));
  const places = files.places
    .filter((place) => suits(place) && settings.includes(place.setting))
    .map((file) => ({ file, weight: taste.places.includes(file.panorama) ? suitedWeight : 0.3, score: 0 }));
  return [...sets, ...places];
}

const weighStyle = (suited: readonly SceneStyle[], style: SceneStyle): number =>
  suited.includes(style) ? suitedWeight * (1 - 0.1 * suited.indexOf(style)) : usualWeight[style] / 2;

/** A product that the photo crops on a side or above touches the picture's edge, and so stands on nothing. */
const standsWhole = (file: SceneFile, { features: { cropped } }: FittedProduct): boolean =>
  file.kind === 'place' ||
  file.stand === undefined ||
  [cropped.left, cropped.right, cropped.top].every((share) => share === undefined);

/** Whether the set's camera is as high as the photo's, or may be as high as the product needs. */
const isSeenFromHighEnough = (file: SceneFile, { isHigh = false, leastDeg = 0 }: FittedProduct): boolean =>
  file.kind === 'place' ? !isHigh : file.camera.elevDeg[1] >= leastDeg && !(isHigh && file.stand);

/** Products darker than this (OKLCH lightness) vanish in a dark set. */
const darkProduct = 0.45;

function isUnasked({ tags }: SceneFile, { product, kind }: SceneRequest): boolean {
  const vanishes =
    product.features.meanColor.l < darkProduct && (tags.includes('dark') || tags.includes('night'));
  return !vanishes && !tags.some((tag) => tastes[kind].avoids.includes(tag));
}

/** Scores of an offer for each tag asked for: it shows it, or takes it as a prop or in its light. */
const points = { shown: 2, taken: 1.5 } as const;
/** Beside things and places, light, moods and times of the day matter less, by this factor. */
const lightShare = 0.7;
/** Offers that score this much less than the best do not answer the prompt. */
const spread = 1.4;

/** The offers that answer the words best; any set, if the words only name colors, materials or light. */
function matchWords(offers: readonly Offer[], product: FittedProduct, wanted: Wanted): Offer[] {
  const { tags, colors, materials, pattern, mood, warmth, props, unwanted } = wanted;
  const named =
    tags.length + unwanted.size + Object.keys(colors).length + Object.keys(materials).length + props.length;
  if (named === 0 && pattern === undefined && mood === undefined && warmth === undefined) return [];
  const rated = offers.map((offer) => ({ ...offer, score: rate(offer.file, product, wanted) }));
  const best = Math.max(...rated.map(({ score }) => score));
  return rated.filter(({ score }) => score > best - spread);
}

/** Whether a tag names only light, a mood or a time of the day. */
function isLight(tag: string): boolean {
  const { prop, time, pattern, warmth, mood } = conceptOf(tag) ?? {};
  return prop === undefined && (time ?? pattern ?? warmth ?? mood) !== undefined;
}

function rate(file: SceneFile, product: FittedProduct, wanted: Wanted): number {
  const { colors, materials, pattern, props, mood } = wanted;
  const isPlace = file.kind === 'place';
  const found = wanted.tags.reduce((sum, tag) => {
    const concept = conceptOf(tag);
    const share = isLight(tag) && !wanted.tags.every(isLight) ? lightShare : 1;
    if (file.tags.includes(tag) || file.id === tag) return sum + share * points.shown;
    // Any ground can be made of another material.
    const isTaken = concept
      ? !isPlace && (concept.prop ?? concept.pattern ?? concept.warmth) !== undefined
      : materialOf(tag) !== undefined;
    return isTaken ? sum + share * points.taken : sum;
  }, 0);
  const isDark = file.tags.includes('dark') && mood !== 'dark' && !wanted.tags.includes('dark');
  const less = (isDark ? 1 : 0) + (file.offered.includes(product.suit) ? 0 : 0.3);
  if (isPlace) {
    // No paint, pattern or prop can be added to a photographed place.
    const lost =
      [colors.wall, pattern, materials.wall].filter((want) => want !== undefined).length + props.length;
    return found - less - lost - (found > 0 ? 0 : 1);
  }
  const namesStand = colors.stand !== undefined || materials.stand !== undefined;
  const isPainted = colors.wall === undefined || file.wall.kind !== 'horizon';
  return found - less + (namesStand && file.stand ? 1 : 0) + (isPainted ? 0.4 : 0);
}

/** The pages of a list up to the one asked for; each continues the last, and none repeats a set before all were shown. */
function fillPages(
  pool: readonly Offer[],
  request: SceneRequest,
  id: string,
  wanted: Wanted | undefined,
  lists: readonly SceneList[],
): PlannedScene[] {
  const { preset, seed, page } = request;
  const count = preset.perList ?? defaultPerList;
  const before = lists.flatMap(({ scenes }) => scenes);
  let left: Offer[] = [];
  let round = 0;
  let chosen: { readonly file: SceneFile; readonly round: number }[] = [];
  // Earlier pages decide only what is left.
  for (let number = 1; number <= page; number++) {
    chosen = [];
    while (chosen.length < count) {
      if (left.length === 0) left = sortOffers(pool, hashSeed(seed, id, round++));
      const [offer] = left.splice(nextOf(left, chosen), 1);
      chosen.push({ file: offer!.file, round });
    }
  }
  const scenes: PlannedScene[] = [];
  for (const { file, round: own } of chosen) {
    const turn = (page - 1) * count + scenes.length;
    const plan = fitOffer(file, request, { turn, wanted, near: [...before, ...scenes], round: own });
    scenes.push({ title: titleScene(file, plan, wanted), plan, file });
  }
  return retitle(scenes);
}

/** Better scores first, then by weight and chance (Efraimidis and Spirakis 2006). */
function sortOffers(pool: readonly Offer[], seed: number): Offer[] {
  const keyed = pool.map((offer) => {
    const chance = createRandom(hashSeed(seed, offer.file.id)).next();
    return { offer, key: -Math.log(Math.max(chance, 1e-9)) / offer.weight };
  });
  return keyed
    .sort((one, other) => other.offer.score - one.offer.score || one.key - other.key)
    .map(({ offer }) => offer);
}

/** The first offer as good as the best that resembles no other of the page; else the best. */
function nextOf(left: readonly Offer[], chosen: readonly Pick<PlannedScene, 'file'>[]): number {
  const resembles = ({ file }: Offer): boolean => chosen.some((other) => looksLike(file, other.file));
  const best = left[0]!.score;
  const other = left.findIndex((offer) => offer.score >= best - 0.6 && !resembles(offer));
  return Math.max(0, other);
}

function looksLike(one: SceneFile, other: SceneFile): boolean {
  if (one.kind === 'place' || other.kind === 'place')
    return one.kind === 'place' && other.kind === 'place' && one.panorama === other.panorama;
  if (one.composition === 'room' || one.composition === 'flatlay') return one.style === other.style;
  return (
    one.composition === other.composition ||
    (one.style === other.style && one.floor.material === other.floor.material)
  );
}

interface OfferTurn {
  /** Position in the list, counted over all pages. */
  readonly turn: number;
  readonly wanted: Wanted | undefined;
  /** Scenes from which its colors should differ. */
  readonly near: readonly PlannedScene[];
  readonly round: number;
}

/** Below this OKLab distance, lightness counted half, walls look the same to a shopper. */
const sameWall = 0.035;

function fitOffer(
  file: SceneFile,
  request: SceneRequest,
  { turn, wanted, near, round }: OfferTurn,
): ScenePlan {
  const { product, ratio, seed, preset } = request;
  const own = hashSeed(seed, file.id, round);
  if (file.kind === 'place') return fitPlace(file, { product, ratio, wanted, seed: own });
  const brand = preset.palette?.map((hex) => hex.toUpperCase()) ?? [];
  const start = Math.floor(createRandom(own).next() ** 1.5 * file.palettes.length);
  const set = wantSet(file, wanted);
  const paint = (shift: number): ScenePlan => {
    const wall = brand[(turn + shift) % Math.max(1, brand.length)];
    const others = brand.filter((hex) => hex !== wall);
    return fitSet(set, {
      product,
      ratio,
      mode: file.palettes[(start + shift) % file.palettes.length]!,
      wanted,
      brand: wall === undefined ? undefined : { wall, accent: others[turn % Math.max(1, others.length)] },
      seed: own,
    });
  };
  const isNew = (plan: ScenePlan): boolean =>
    near.every((scene) => scene.plan.place !== undefined || wallDistance(plan, scene.plan) >= sameWall);
  const first = paint(0);
  let plan = first;
  for (let shift = 1; !isNew(plan); shift++) {
    if (shift === file.palettes.length) return first;
    plan = paint(shift);
  }
  return plan;
}

function wallDistance(one: ScenePlan, other: ScenePlan): number {
  const [wall, otherWall] = [one, other].map(({ palette }) => oklchFromHex(palette[0]));
  return colorDistance({ ...wall!, l: wall!.l / 2 }, { ...otherWall!, l: otherWall!.l / 2 });
}

/** Numbers the titles that a list would repeat. */
function retitle(scenes: readonly PlannedScene[]): PlannedScene[] {
  return scenes.map((scene, index) => {
    const same = scenes.slice(0, index).filter(({ title }) => title === scene.title).length;
    return same === 0 ? scene : { ...scene, title: `${scene.title} ${same + 1}` };
  });
}
