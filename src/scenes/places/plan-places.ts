/** Plans scenes in real places: which places suit a product, and the direction of their light. */
import type { Variant } from '../../recipes/catalogue.ts';
import { listPresetSettings, type Preset, type Setting } from '../../recipes/presets.ts';
import { type PlaceName, placeNames } from '../../studio/places/place-names.ts';
import type { Finish, ScenePlan, Staging } from '../../studio/scene-plan.ts';
import { colorDistance, oklchFromHex } from '../oklch.ts';
import { isToneOnTone } from '../palette.ts';
import type { PromptReading } from '../parse-prompt.ts';
import { usualLength } from '../product/real-lengths.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { ProductKind } from '../product-kind.ts';
import { createRandom, hashSeed, type SeededRandom } from '../seeded-random.ts';
import { suitsRoom } from '../sets/airy-light.ts';
import { isChair } from '../sets/camera.ts';
import { isAiry, isBushy } from '../sets/fill-frame.ts';
import { makeSpokenFinish, materialFacts } from '../sets/finishes.ts';
import { chooseBoards } from '../sets/floorboards.ts';
import { azimuthOf } from './aim-key.ts';
import { composePlace, type PlaceAim } from './compose-place.ts';
import {
  type GroundName,
  grounds,
  highLight,
  indoorPlaces,
  type Paint,
  places,
  placesOfKind,
  roomPaints,
  roomPlaces,
  roomsOfKind,
  settingOf,
} from './place-facts.ts';
import { viewsOf } from './place-views.ts';

export interface PlaceRequest {
  readonly product: Pick<ProductKind, 'kind' | 'staging' | 'lengthCm' | 'indoors'>;
  readonly features: ProductFeatures;
  readonly words: PromptReading | undefined;
  readonly ratio: Variant;
  readonly preset: Preset;
}

export interface PlannedPlace {
  readonly title: string;
  readonly plan: ScenePlan;
}

/** Clothes, and other products that lie, are seen from above, where no place is visible. */
export const showsInPlace = (staging: Staging): boolean => staging !== 'garment';

/**
 * Returns `count` scenes, or none if no place suits the product. Places repeat only if the prompt names too few, or if
 * there are too few rooms for furniture.
 */
export function planPlaces(request: PlaceRequest, count: number, listSeed: number): PlannedPlace[] {
  const { product, words, features, ratio } = request;
  if (!showsInPlace(product.staging)) return [];
  const random = createRandom(listSeed);
  const named = words?.places ?? [];
  const allowed = listPresetSettings(
    named.length > 0 ? { ...request.preset, palette: undefined } : request.preset,
  );
  const suited = (named.length > 0 ? named : varyOrder(rankPlaces(request, allowed), random)).filter((name) =>
    allowed.includes(settingOf(name)),
  );
  const open = suited.filter((name) => groundsIn(name, product.staging).length > 0);
  const side =
    features.lightFrom === 'unclear' ? random.pick(['left', 'right'] as const) : features.lightFrom;
  const fitting = litFrom[isThin(request) ? 'airy' : 'usual'];
  const views = open.map((name) => ({ name, aims: aimsOf(name, side, fitting, random), used: 0 }));
  const start = random.pick([0, 1, 2]);
  const planned: PlannedPlace[] = [];
  const nouns: string[] = [];
  const paints = rankPaints(features, start);
  const cycle = Math.min(views.length, count);
  for (let turn = 0; planned.length < count && views.length > 0; turn++) {
    const view = views[turn % cycle]!;
    const aim = view.aims[view.used % view.aims.length]!;
    const ground = chooseGround(request, view.name, { turn: turn % cycle, used: view.used, start, nouns });
    view.used++;
    nouns.push(ground.noun);
    const seed = hashSeed(listSeed, view.name, turn, (words && spokenGround(words)?.material) ?? '');
    const { staging, lengthCm = usualLength(staging) } = product;
    const plan = composePlace({
      place: view.name,
      aim,
      side,
      ground: ground.finish,
      slabCm: ground.slabCm,
      paint: paints[turn % paints.length]!,
      staging,
      ratio,
      features,
      lengthCm,
      seed,
    });
    const noun = staging === 'hung' ? undefined : ground.noun;
    planned.push({ title: titlePlace(noun, view.name, planned), plan });
  }
  return planned;
}

/**
 * Places that suit the product, best first. All others follow if the preset allows only indoor or only outdoor places.
 */
function rankPlaces(request: PlaceRequest, allowed: readonly Setting[]): PlaceName[] {
  const { kind, staging, indoors } = request.product;
  const isAtWall = suitsRoom(staging, request.features);
  const rooms = roomsOfKind[kind] ?? roomPlaces;
  const open = placesOfKind[kind];
  const inside = open.filter((name) => settingOf(name) === 'indoor');
  const own =
    (staging === 'large' || isAtWall) && allowed.includes('indoor')
      ? [...rooms, ...(staging === 'large' || isThin(request) ? [] : inside)]
      : indoors
        ? inside
        : open;
  const asked =
    allowed.length === 1 && (staging !== 'large' || !allowed.includes('indoor')) ? placeNames : [];
  const ranked = [...new Set([...own, ...(indoors ? indoorPlaces : []), ...asked])];
  const bright = isAiry(request.features) ? ranked.filter((name) => !places[name].isDim) : ranked;
  const shaping = isThin(request)
    ? bright.filter((name) => hasSun(name) || (isAtWall && hasWall(name)))
    : bright;
  return [shaping, bright, ranked].find(({ length }) => length > 0) ?? ranked;
}

/**
 * Whether the product is thin, and so casts a hard shadow. Only a sun explains such a shadow, or a lamp at the wall of
 * a room. The wall is preferred, because on a table outdoors, the shadows of blossoms lie apart from the plant.
 */
const isThin = ({ product, features }: PlaceRequest): boolean =>
  isAiry(features) && product.staging !== 'large';

const hasSun = (name: PlaceName): boolean => places[name].light !== undefined;
const hasWall = (name: PlaceName): boolean => places[name].hasWall === true;

/**
 * For each position of a list, chooses one of two neighbors in the ranking at random, so that other seeds show other
 * places. The places that were not chosen follow.
 */
function varyOrder(ranked: readonly PlaceName[], random: SeededRandom): PlaceName[] {
  const pairs = ranked.flatMap((name, rank) =>
    rank % 2 === 0 ? [random.shuffle([name, ...ranked.slice(rank + 1, rank + 2)])] : [],
  );
  return [...pairs.map(([first]) => first!), ...pairs.flatMap(([, second]) => second ?? [])];
}

function groundsIn(name: PlaceName, staging: Staging): readonly GroundName[] {
  return staging === 'large' ? places[name].floors : places[name].grounds;
}

/**
 * Azimuths at which a place's light fits the product, in degrees toward the side from which the product was lit. The
 * shadow of a thin product always falls away from the camera, so the light must not come from ahead.
 */
const litFrom = { airy: [-10, 90], usual: [-10, 121] } as const;

/**
 * The views of a place, better ones first, mirrored where the light would otherwise come from the other side than in
 * the photo. The views are so blurred that the mirroring cannot be noticed.
 */
function aimsOf(
  name: PlaceName,
  side: 'left' | 'right',
  [from, to]: readonly [number, number],
  random: SeededRandom,
): PlaceAim[] {
  const { light } = places[name];
  const toward = side === 'left' ? -1 : 1;
  const isLit = (azimuth: number): boolean => azimuth >= from && azimuth <= to;
  const aims = viewsOf[name].flatMap(({ headingDeg, rank }) => {
    const azimuth = light && light.latitudeDeg <= highLight ? toward * azimuthOf(light, headingDeg) : 0;
    if (isLit(azimuth)) return [{ headingDeg, rank }];
    return isLit(-azimuth) ? [{ headingDeg, isMirrored: true, rank }] : [];
  });
  return random
    .shuffle(aims)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ rank: _, ...aim }) => aim);
}

/**
 * Different paints for the walls of a list. Paints close to the product's color come last, because the product would
 * vanish in front of them.
 */
function rankPaints({ mainColor }: ProductFeatures, start: number): Paint[] {
  const paints = roomPaints.map((paint) => ({ paint, color: oklchFromHex(paint.color) }));
  const apart = paints.filter(({ color }) => !isToneOnTone(color, mainColor));
  const close = paints
    .filter(({ color }) => isToneOnTone(color, mainColor))
    .sort((one, other) => colorDistance(other.color, mainColor) - colorDistance(one.color, mainColor));
  const first = start % Math.max(1, apart.length);
  return [...apart.slice(first), ...apart.slice(0, first), ...close].map(({ paint }) => paint);
}

interface Turn {
  /** Position of the place in the list. */
  readonly turn: number;
  /** How often the place was used before. */
  readonly used: number;
  /** 0 to 2: which of a place's best grounds the list starts with. */
  readonly start: number;
  /** Names of the grounds that the list already shows. */
  readonly nouns: readonly string[];
}

function chooseGround(
  request: PlaceRequest,
  name: PlaceName,
  { turn, used, start, nouns }: Turn,
): { readonly noun: string; readonly finish: Finish; readonly slabCm?: number | undefined } {
  const { words, product, features, ratio } = request;
  const isFloor = product.staging === 'large';
  const own = groundsIn(name, product.staging);
  const spoken = words && spokenGround(words);
  const nameOf = (ground: GroundName): string => grounds[ground][isFloor ? 'floor' : 'table'];
  const lay = (ground: GroundName) => ({
    noun: nameOf(ground),
    finish: finishOf(ground, name, isFloor),
    slabCm: grounds[ground].slabCm,
  });
  if (spoken) {
    const known = findGround(spoken, own, used);
    if (known) return lay(known);
    const gray = { l: 0.72, c: 0.01, h: 80 };
    const finish = { ...makeSpokenFinish(spoken, words.materialColor, gray, []), wear: 0.6 };
    const noun = spoken.material.charAt(0).toUpperCase() + spoken.material.slice(1);
    return { noun, finish };
  }
  // If the prompt names no place, the places of a list start with their first, second and third ground in turn.
  const from = used + (words?.places.length ? 0 : (turn + start) % 3);
  const isPlant = isAiry(features) || isBushy(features);
  const unfit = isAiry(features) ? unfitForAiry : isPlant ? unfitForBushy : unfitForSolid;
  const isDark = features.meanColor.l < darkProduct;
  const isUnfit = (other: GroundName): boolean =>
    unfit.includes(other) || (isDark && unfitForDark.includes(other));
  const fine = (isFloor || !isPlant ? own : addConcrete(own)).filter((other) => !isUnfit(other));
  const fit = fine.length > 0 ? fine : own;
  const shown = fit.filter((other) =>
    isFloor ? isBoards(other) || !hasWall(name) : ratio !== '9:16' || isPlant || !isBlankInTall(other),
  );
  const suited = shown.length > 0 ? shown : fit;
  // Judges called the wood of tables smeared or oversized, so boards are the last choice; below plants, they are used
  // only if the prompt asks for them.
  const plain = suited.filter((other) => !isBoards(other));
  const prefersPlain = !isFloor && plain.length > 0;
  const preferred = prefersPlain ? plain : suited;
  const spare = prefersPlain && !isPlant ? suited.filter(isBoards) : [];
  const inTurn = [...preferred.map((_, index) => preferred[(from + index) % preferred.length]!), ...spare];
  const ground = inTurn.find((other) => !nouns.includes(nameOf(other))) ?? inTurn[0]!;
  const laid = lay(ground);
  const repeats = nouns.filter((noun) => noun === nameOf(ground)).length;
  return isFloor && hasWall(name)
    ? { ...laid, finish: calmBoards(laid.finish, request, start + repeats) }
    : laid;
}

/** Boards in a room are less worn than those outdoors: large stains look like smears. */
const roomWear = 0.3;
/** A floor in a room is in focus, so its joints and grain are as deep as in studio sets. */
const floorBoards = { bump: 0.7, roughness: 0.4 } as const;

/** Boards of a floor in a room, in colors that take turns. */
function calmBoards(finish: Finish, { features, product }: PlaceRequest, turn: number): Finish {
  if (finish.material !== 'wood') return finish;
  const isBelowChair = isChair(product.staging, features);
  const colors = chooseBoards({ product: features.meanColor, wallLightness: 1, isChair: isBelowChair, turn });
  return { ...finish, ...floorBoards, wear: roomWear, colors };
}

/**
 * Adds concrete, on which plants stand in every place. Thin plants stand on nothing else in most places: the other
 * grounds do not suit them, or are boards, which look like stacked battens along a wall, and smeared outdoors.
 */
const addConcrete = (own: readonly GroundName[]): readonly GroundName[] =>
  own.includes('concrete') ? own : [...own, 'concrete'];

const isBoards = (ground: GroundName): boolean => grounds[ground].finish.material === 'wood';

/**
 * Whether a table of this ground looks bad in a tall frame, which shows much of the table but few of its boards: boards
 * toward the camera look smeared, and concrete looks blank. Such a table is shown in a tall frame only if the prompt
 * asks for it, or, of concrete, below plants.
 */
const isBlankInTall = (ground: GroundName): boolean => isBoards(ground) || ground === 'concrete';

/** Grounds that do not suit products other than plants: a plain white table looks blank. */
const unfitForSolid: readonly GroundName[] = ['white-table'];

/**
 * Grounds that do not suit thin products. In front of dark grounds, the fine outline of a bright blossom shows every
 * remnant of the photo's background. On marble, the shadow of a stem looks like a vein. The chips of terrazzo and the
 * grains of granite break the shadow up. On stone, a potted plant seems to stand in a street.
 */
const unfitForAiry: readonly GroundName[] = [
  ...unfitForSolid,
  'dark-wood',
  'black-marble',
  'marble',
  'terrazzo',
  'granite',
  'paving',
  'sandstone',
  'stone',
];

/** Below a product whose mean color has a lower OKLCH lightness than this, a dark ground shows neither shadow nor contact. */
const darkProduct = 0.45;
const unfitForDark: readonly GroundName[] = ['dark-wood', 'black-marble'];

/**
 * Grounds that do not suit bushy products. On stone, a potted plant seems to stand in a street; the chips of terrazzo
 * break up its shadow.
 */
const unfitForBushy: readonly GroundName[] = [
  ...unfitForSolid,
  'stone',
  'granite',
  'terrazzo',
  'paving',
  'sandstone',
];

/** The ground's finish. The place's own floor gets the colors that the floor has in the panorama. */
function finishOf(ground: GroundName, name: PlaceName, isFloor: boolean): Finish {
  const { floors, floorColors } = places[name];
  const { finish } = grounds[ground];
  return isFloor && floorColors && floors[0] === ground ? { ...finish, colors: [...floorColors] } : finish;
}

type SpokenGround = NonNullable<ReturnType<typeof spokenGround>>;

function spokenGround({ materials }: PromptReading) {
  return materials.floor ?? materials.pedestal ?? materials.any;
}

/** Below this value of `lighten`, as in "dark wood", the dark variant is meant. */
const darkBelow = -0.05;

function findGround(spoken: SpokenGround, own: readonly GroundName[], turn: number): GroundName | undefined {
  const { material, colors, lighten } = spoken;
  if (material === 'wood' && (lighten < darkBelow || colors[0] === '#70503A')) return 'dark-wood';
  if (material === 'marble' && lighten < darkBelow) return 'black-marble';
  if (colors.length > 0) return undefined;
  const all = Object.keys(grounds) as GroundName[];
  // Callers who ask for wood expect the color of wood, which weathered boards have lost.
  const isOf = (name: GroundName): boolean =>
    name !== 'gray-wood' &&
    grounds[name].finish.material === material &&
    materialFacts[material].own.length > 0;
  const known = own.some(isOf) ? own.filter(isOf) : all.filter(isOf).slice(0, 1);
  return known[turn % Math.max(1, known.length)];
}

/** `noun`: the ground's name; undefined if no ground is visible. */
function titlePlace(noun: string | undefined, name: PlaceName, planned: readonly PlannedPlace[]): string {
  const place = places[name].title;
  const title = noun === undefined ? place.charAt(0).toUpperCase() + place.slice(1) : `${noun}, ${place}`;
  const count = planned.filter((other) => other.title.startsWith(title)).length;
  return count === 0 ? title : `${title} ${count + 1}`;
}
