/** Composes one set: turns a setup, the product and the prompt into a complete scene plan. */

import type { Variant } from '../../recipes/catalogue.ts';
import {
  type Finish,
  type Material,
  measureFrame,
  type ScenePlan,
  type Staging,
  scenePlanVersion,
} from '../../studio/scene-plan.ts';
import { clamp, colorDistance, type Oklch, oklchFromHex } from '../oklch.ts';
import { makePalette, type PaletteMode, type PaletteWish, type ScenePalette } from '../palette.ts';
import type { PromptReading } from '../parse-prompt.ts';
import { groundScale } from '../product/real-scale.ts';
import type { ProductFeatures } from '../product-features.ts';
import { createRandom, hashSeed, type SeededRandom } from '../seeded-random.ts';
import { suitsWall, wallBehind } from './airy-light.ts';
import { acrossBelow, frameSet, isChair, maxTop, placeSubject, roomBlur, sizeSubject } from './camera.ts';
import { makeProps } from './choose-props.ts';
import { type CompositionParts, compositionParts, fitStand, type Stand } from './compositions.ts';
import { isBushy } from './fill-frame.ts';
import { makeFinish, makeSpokenFinish, materialFacts, varyRelief } from './finishes.ts';
import { chooseBoards } from './floorboards.ts';
import { reachEdges } from './flush.ts';
import { type LightWish, makeLight } from './light.ts';
import { placeWall } from './place-wall.ts';
import type { Setup } from './setups.ts';
import type { BuiltStage, Stage } from './stage.ts';
import { makePedestal } from './stands.ts';

export interface SetWish {
  readonly setup: Setup;
  readonly mode: PaletteMode;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly features: ProductFeatures;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
  readonly words: PromptReading | undefined;
  /** Brand colors, `#RRGGBB` in upper case, used exactly for wall and accent. */
  readonly brand?: { readonly wall: string; readonly accent: string | undefined } | undefined;
  /** Stands that satisfy the prompt; undefined to use the composition's own stands. */
  readonly stands?: readonly Stand[] | undefined;
  /** Selects one of the kinds of boards that suit a room; default 0. */
  readonly floorTurn?: number;
  readonly seed: number;
}

export function composeSet(wish: SetWish): ScenePlan {
  const { setup, staging, ratio } = wish;
  const random = createRandom(wish.seed);
  const parts = compositionParts[setup.composition];
  const isFlatlay = setup.composition === 'flatlay';
  const { stage, pedestal, stand, backdrop } = buildStage(wish, parts, random);
  const { finishes, subject } = stage;
  const light: LightWish = {
    gobo: wish.words?.gobo ?? setup.gobo,
    isGoboAsked: wish.words?.gobo !== undefined,
    warmth: chooseWarmth(wish, stage.palette.wall),
    hasShine: hasShine(finishes),
    isFlatlay,
    isLarge: staging === 'large',
    isChair: isChair(staging, wish.features),
    isOnStand: pedestal !== null,
    isAtWall: standsAtWall(wish, parts, stand),
    isBushy: isBushy(wish.features),
    isHung: staging === 'hung',
  };
  return {
    version: scenePlanVersion,
    seed: wish.seed,
    composition: setup.composition,
    staging,
    ratio,
    subject,
    surface: {
      ...finishes.floor,
      ...layGround(finishes.floor, wish, stage),
      relief: parts.relief,
      amplitude: reliefHeight(parts.relief),
    },
    backdrop: {
      ...finishes.wall,
      ...varyRelief(finishes.wall, wish),
      kind: backdrop,
      z: stage.wallZ,
      sweepRadius: backdrop === 'cyclorama' ? Math.min(usualSweep, sweepShare * -stage.wallZ) : 0,
    },
    pedestal,
    ...makeProps(wish, parts, stage, { pedestal, stand }),
    palette: [
      finishes.wall.colors[0]!,
      finishes.floor.colors[0]!,
      finishes.pedestal.colors[0]!,
      finishes.accent.colors[0]!,
    ],
    ...makeLight(light, stage),
    camera: stage.camera,
    dof: isFlatlay ? 0 : staging === 'large' ? roomBlur : random.between(0.006, 0.009),
    // Dark sets need slightly more exposure. Grain and vignette are too weak to be noticed. With a grain of 0.006, the
    // noise of fine textures (Immerkaer's sigma) would exceed our limit of 1.6 out of 255 (docs/scenes-quality.md).
    tone: { exposure: stage.palette.wall.l < 0.5 ? 1.06 : 1, grain: 0.005, vignette: 0.12 },
  };
}

/** Radius of a sweep's curve, in scene units, and its maximum as a fraction of the wall's distance. */
const usualSweep = 0.9;
const sweepShare = 0.6;

/** Whether a thin product stands right in front of the wall, with nothing between the two. */
function standsAtWall(
  { setup, staging, features, words }: SetWish,
  { backs, relief }: CompositionParts,
  stand: Stand,
): boolean {
  const isFree = stand === 'none' && backs[0] === 'none' && (words?.shapes.length ?? 0) === 0;
  const isFlat = relief === 'flat' && setup.composition !== 'flatlay';
  return suitsWall(staging, features) && isFree && isFlat;
}

interface Built {
  readonly stage: BuiltStage;
  readonly pedestal: ScenePlan['pedestal'];
  readonly stand: Stand;
  readonly backdrop: ScenePlan['backdrop']['kind'];
}

/** Chooses parts in order of dependency: the colors, the stand, then the camera, which must show product and stand. */
function buildStage(wish: SetWish, parts: CompositionParts, random: SeededRandom): Built {
  const { setup, staging, ratio, features, lengthCm } = wish;
  const isFlatlay = setup.composition === 'flatlay';
  const isFromLeft =
    features.lightFrom === 'left' || (features.lightFrom === 'unclear' && random.next() < 0.7);
  const palette = choosePalette(wish, random);
  const finishes = chooseFinishes(wish, palette);
  const backdrop = chooseBackdrop(parts, finishes);
  const stand = fitStand(random.pick(wish.stands ?? parts.stands), {
    staging,
    material: finishes.pedestal.material,
    isAsked: wish.stands !== undefined,
  });
  const hasProps = (wish.words?.shapes.length ?? 0) > 0;
  const size = sizeSubject(features.aspect);
  const isOnStand = stand !== 'none';
  const framed = frameSet(
    { parts, staging, ratio, subject: size, stand, isFlatlay, hasProps, features, lengthCm },
    random,
  );
  const camera = isFlatlay || isOnStand ? framed : reachEdges(framed, { ratio, subject: size }, features);
  const frame = measureFrame({ ratio, subject: size, camera });
  const placed = placeSubject(size, frame, isOnStand ? { ...features, cropped: {} } : features);
  const subject = staging === 'hung' ? { ...placed, hangs: true } : placed;
  const isAccentAsked = wish.words?.colors.accent !== undefined;
  const side = isFromLeft ? -1 : 1;
  const bare: Stage = { frame, subject, palette, finishes, isAccentAsked, side, random };
  const pedestal = makePedestal(stand, bare, features);
  const baseY = (pedestal?.levels ?? []).reduce((sum, { height }) => sum + height, pedestal?.y ?? 0);
  const shown = stand === 'shelf' ? 0 : showStand(pedestal, { baseY, frame, camera });
  const free = isFlatlay ? 0.5 : maxTop(frame) - subject.height / frame.height;
  const baseline =
    camera.baseline === framed.baseline
      ? clamp(Math.max(camera.baseline, shown), 0.05, Math.min(0.5, free))
      : camera.baseline;
  const raised = { ...camera, baseline };
  const { colors, materials } = wish.words ?? {};
  const isWallAsked = (colors?.wall ?? materials?.wall ?? wish.brand) !== undefined;
  const wallZ = isFlatlay
    ? 0
    : standsAtWall(wish, parts, stand)
      ? wallBehind(subject)
      : placeWall({ camera: raised, frame, baseY, stand, kind: backdrop, subject, staging, isWallAsked });
  return { stage: { ...bare, wallZ, baseY, camera: raised }, pedestal, stand, backdrop };
}

/** Baseline (product's foot, as a fraction of the frame's height) that shows the whole stand and some ground below. */
function showStand(
  pedestal: ScenePlan['pedestal'],
  { baseY, frame, camera }: Pick<BuiltStage, 'baseY' | 'frame' | 'camera'>,
): number {
  const front = Math.max(0, ...(pedestal?.levels ?? []).map(({ z, depth }) => z + depth / 2));
  const eye = Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  // The stand's lower front edge, projected onto the product's plane (similar triangles).
  const edge = ((eye + baseY) * frame.distance) / (frame.distance - front) - eye;
  return Math.min(0.36, edge / frame.height + 0.06);
}

function chooseWarmth({ setup, words }: SetWish, { c, h }: Oklch): Setup['warmth'] {
  if (words?.light === 'cool') return 'cool';
  if (words?.light === 'warm') return setup.warmth === 'day' ? 'warm' : setup.warmth;
  // Golden light turns sage and mint to a sickly yellow-green.
  const isGreen = c > 0.02 && h > 95 && h < 180;
  return setup.warmth === 'gold' && isGreen ? 'day' : setup.warmth;
}

/**
 * Scales boards and veins to their real size. Boards run away from the camera, slightly turned, or along the wall below
 * furniture seen from the front. The ground of a flat lay stays as it is.
 */
function layGround(
  { material, scale }: Finish,
  { setup, seed, staging, lengthCm }: SetWish,
  { subject, camera }: Pick<BuiltStage, 'subject' | 'camera'>,
): Partial<Pick<Finish, 'boardsDeg' | 'scale'>> {
  if (setup.composition === 'flatlay') return {};
  const isFloor = staging === 'large';
  const factor = groundScale(material, subject, { lengthCm, isFloor });
  const isAcross = isFloor && camera.elevDeg < acrossBelow;
  // The boards of a floor nearly follow the room: furniture stands parallel to its wall.
  const boardsDeg =
    createRandom(hashSeed(seed, 'boards')).between(isFloor ? 86 : 80, 90) - (isAcross ? 88 : 0);
  return { scale: clamp(scale * factor, 0.2, 4), ...(material === 'wood' ? { boardsDeg } : {}) };
}

/** A sweep needs the same material and color on floor and wall; otherwise, floor and wall meet in a line. */
function chooseBackdrop(
  { backdrop, relief }: CompositionParts,
  { floor, wall }: Stage['finishes'],
): ScenePlan['backdrop']['kind'] {
  const isOneStuff =
    floor.material === wall.material &&
    colorDistance(oklchFromHex(floor.colors[0]!), oklchFromHex(wall.colors[0]!)) < 0.06;
  return backdrop === 'cyclorama' && relief === 'flat' && !isOneStuff ? 'wall' : backdrop;
}

function reliefHeight(relief: ScenePlan['surface']['relief']): number {
  return { flat: 0, dune: 0.14, drape: 0.28, ripples: 0.02 }[relief];
}

function hasShine(finishes: Stage['finishes']): boolean {
  return Object.values(finishes).some(
    ({ material }) =>
      material === 'metal' || material === 'lacquer' || material === 'satin' || material === 'glass',
  );
}

function choosePalette({ mode, features, words, brand, setup }: SetWish, random: SeededRandom): ScenePalette {
  const spoken = words?.colors ?? {};
  const product = { main: features.mainColor, rim: features.rimColor };
  const stuff = spoken.wall ? undefined : wallOfMaterial(words, setup);
  const asked = stuff ? { ...spoken, wall: { name: 'stuff', isMetal: false, ...stuff } } : spoken;
  return makePalette({ mode, product, asked, mood: words?.mood, brand: brandOf(brand) }, random);
}

function brandOf(brand: SetWish['brand']): PaletteWish['brand'] {
  return (
    brand && {
      wall: oklchFromHex(brand.wall),
      accent: brand.accent === undefined ? undefined : oklchFromHex(brand.accent),
    }
  );
}

/**
 * Water, folds and flat lays fill the picture. So if the prompt gives a color for the ground's material, the wall's
 * color is derived from it, too.
 */
function wallOfMaterial(words: PromptReading | undefined, setup: Setup): Oklch | undefined {
  const stuff = words?.materialColor ?? words?.colors.floor;
  const spreads = ['drape', 'water', 'flatlay'].includes(setup.composition) || setup.floor === 'satin';
  return stuff && spreads
    ? { l: clamp(stuff.l + 0.06, 0.26, 0.9), c: stuff.c * 0.75, h: stuff.h }
    : undefined;
}

function chooseFinishes(wish: SetWish, palette: ScenePalette): Stage['finishes'] {
  const { setup, words, features, brand } = wish;
  const isFlatlay = setup.composition === 'flatlay';
  // The third chip of terrazzo is brick red, which goes with every wall.
  const companions = [palette.accent, palette.wall, { l: 0.62, c: 0.07, h: 42 }];
  const finishOf = (place: 'wall' | 'floor' | 'pedestal', material: Material): Finish => {
    const any = words?.materials.any;
    const spoken = words?.materials[place] ?? (any?.material === material ? any : undefined);
    const askedColor =
      (words?.colors[place] && palette[place]) ??
      (any?.material === material ? words?.materialColor : undefined);
    if (spoken) return makeSpokenFinish(spoken, askedColor, palette[place], companions);
    // A gold podium is made of metal; only walls and floors are painted gold.
    if (place === 'pedestal' && words?.colors.pedestal?.isMetal) {
      return makeFinish({ material: 'metal', color: words.colors.pedestal }, palette.pedestal);
    }
    // With brand colors, the ground of a flat lay is painted, even if it consists of boards, cloth or stone.
    const isPainted = setup.isPainted || (brand !== undefined && isFlatlay);
    const isOwn = materialFacts[material].own.length > 0 && !isPainted && !askedColor;
    const keepsOwn = isOwn && (place !== 'wall' || isFlatlay);
    const color = keepsOwn
      ? standApart(material, features.meanColor, isFlatlay)
      : (askedColor ?? palette[place]);
    return makeFinish({ material, color, companions }, palette[place]);
  };
  const wall = finishOf('wall', setup.wall);
  const metal = words?.colors.accent?.isMetal ? words.colors.accent : undefined;
  const accent =
    metal || (setup.accent === 'gold' && !brand?.accent)
      ? makeFinish({ material: 'metal', color: metal }, palette.accent)
      : makeFinish(
          { material: words?.materials.accent?.material ?? 'matte', color: palette.accent },
          palette.accent,
        );
  const floor = layBoards(finishOf('floor', setup.floor), wish, palette);
  const isBranded = brand !== undefined && words?.colors.wall === undefined;
  const shown = isFlatlay ? floor : wall;
  const backdrop = isBranded ? paintExactly(shown, brand.wall) : shown;
  return {
    wall: backdrop,
    floor: isFlatlay ? backdrop : floor,
    pedestal: finishOf('pedestal', setup.pedestal),
    accent:
      brand?.accent && !words?.colors.accent && accent.material !== 'metal'
        ? paintExactly(accent, brand.accent)
        : accent,
  };
}

/** The boards of a room have one of several colors, unless the prompt says how the floor looks. */
function layBoards(
  floor: Finish,
  { setup, staging, words, features, floorTurn = 0 }: SetWish,
  { wall }: ScenePalette,
): Finish {
  const isSpoken = words?.materials.floor ?? words?.materials.any ?? words?.colors.floor;
  if (setup.composition !== 'room' || floor.material !== 'wood' || isSpoken) return floor;
  const wish = {
    product: features.meanColor,
    wallLightness: wall.l,
    isChair: isChair(staging, features),
    turn: floorTurn,
  };
  return { ...floor, colors: chooseBoards(wish) };
}

/** Uses the exact brand color: converting it to OKLCH and back could change it by one 8-bit level. */
function paintExactly(finish: Finish, hex: string): Finish {
  return { ...finish, colors: [hex, ...finish.colors.slice(1)] };
}

/** In a flat lay, the material is the whole backdrop, so its color is shifted if the product's color is similar. */
function standApart(material: Material, product: Oklch, isFlatlay: boolean): Oklch | undefined {
  const own = oklchFromHex(materialFacts[material].own[0]!);
  if (!isFlatlay || colorDistance(own, product) >= 0.12) return undefined;
  return { ...own, l: own.l > 0.6 ? own.l - 0.17 : own.l + 0.17 };
}
