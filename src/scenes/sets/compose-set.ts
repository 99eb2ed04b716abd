/** Puts one set together: from a look, the product and the words to a complete scene plan. */

import type { Variant } from '../../recipes/catalogue.ts';
import { clamp, colorDistance, type Oklch, oklchFromHex } from '../oklch.ts';
import { makePalette, type PaletteMode, type ScenePalette } from '../palette.ts';
import type { PromptReading } from '../parse-prompt.ts';
import type { ProductFeatures } from '../product-features.ts';
import {
  type Finish,
  type Material,
  measureFrame,
  type Prop,
  type ScenePlan,
  type Shape,
  type Staging,
  scenePlanVersion,
} from '../scene-plan.ts';
import { createRandom, type SeededRandom } from '../seeded-random.ts';
import { makeBackProps } from './back-props.ts';
import { frameSet, placeWall, sizeSubject } from './camera.ts';
import {
  type Back,
  type CompositionParts,
  compositionParts,
  fitStand,
  type Side,
  type Stand,
} from './compositions.ts';
import { makeFinish, makeSpokenFinish, materialFacts } from './finishes.ts';
import { makeLight } from './light.ts';
import type { Look } from './looks.ts';
import { makeSideProps } from './side-props.ts';
import { type BuiltStage, freeZone, halfU, type Stage, shareOf } from './stage.ts';
import { makePedestal } from './stands.ts';

export interface SetWish {
  readonly look: Look;
  readonly mode: PaletteMode;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly features: ProductFeatures;
  readonly words: PromptReading | undefined;
  /** A brand colour that the wall must have. */
  readonly wallColor?: Oklch | undefined;
  /** Stands that keep what the words asked for, where they did. */
  readonly stands?: readonly Stand[] | undefined;
  readonly seed: number;
}

export function composeSet(wish: SetWish): ScenePlan {
  const { look, staging, ratio } = wish;
  const random = createRandom(wish.seed);
  const parts = compositionParts[look.composition];
  const isFlatlay = look.composition === 'flatlay';
  const { stage, pedestal, stand, backdrop } = buildStage(wish, parts, random);
  const { finishes, subject } = stage;
  const light = makeLight(
    {
      gobo: wish.words?.gobo ?? look.gobo,
      warmth: chooseWarmth(wish),
      hasShine: hasShine(finishes),
      isFlatlay,
    },
    stage,
  );
  const backProps = makeBackProps(chooseBack(wish, parts.backs, random), stage);
  return {
    version: scenePlanVersion,
    seed: wish.seed,
    composition: look.composition,
    staging,
    ratio,
    subject,
    surface: { ...finishes.floor, relief: parts.relief, amplitude: reliefHeight(parts.relief) },
    backdrop: {
      ...finishes.wall,
      kind: backdrop,
      z: stage.wallZ,
      sweepRadius: backdrop === 'cyclorama' ? 0.9 : 0,
    },
    pedestal,
    backProps,
    sideProps: makeSides(wish, parts.sides, stage, { pedestal, stand, hasBack: backProps.length > 0 }),
    palette: [
      finishes.wall.colors[0]!,
      finishes.floor.colors[0]!,
      finishes.pedestal.colors[0]!,
      finishes.accent.colors[0]!,
    ],
    ...light,
    camera: stage.camera,
    dof: isFlatlay ? 0 : random.between(0.003, 0.006),
    // Dark sets want a little more; grain and vignette as tuned (both below what the eye names).
    tone: { exposure: stage.palette.wall.l < 0.5 ? 1.12 : 1, grain: 0.006, vignette: 0.02 },
  };
}

interface Built {
  readonly stage: BuiltStage;
  readonly pedestal: ScenePlan['pedestal'];
  readonly stand: Stand;
  readonly backdrop: ScenePlan['backdrop']['kind'];
}

/** Colours, then what the product stands on, then the camera that must show both. */
function buildStage(wish: SetWish, parts: CompositionParts, random: SeededRandom): Built {
  const { look, staging, ratio, features } = wish;
  const isFlatlay = look.composition === 'flatlay';
  const isFromLeft =
    features.lightFrom === 'left' || (features.lightFrom === 'unclear' && random.next() < 0.7);
  const palette = choosePalette(wish, random);
  const finishes = chooseFinishes(wish, palette);
  const backdrop = chooseBackdrop(parts, finishes);
  const stand = fitStand(random.pick(wish.stands ?? parts.stands), staging, finishes.pedestal.material);
  const subject = sizeSubject(features.aspect);
  const camera = frameSet({ parts, staging, ratio, subject, stand, isFlatlay, features }, random);
  const frame = measureFrame({ ratio, subject, camera });
  const bare: Stage = { frame, subject, palette, finishes, side: isFromLeft ? -1 : 1, random };
  const pedestal = makePedestal(stand, bare);
  const baseY = (pedestal?.levels ?? []).reduce((sum, { height }) => sum + height, pedestal?.y ?? 0);
  // All of the pedestal is shown, with some ground before it; of a shelf only the edge.
  const shown = stand === 'shelf' ? 0 : Math.min(0.31, baseY / frame.height + 0.1);
  const baseline = clamp(Math.max(camera.baseline, shown), 0.05, 0.5);
  const wallZ = isFlatlay ? 0 : placeWall({ camera, frame, baseY, stand, kind: backdrop, subject });
  return { stage: { ...bare, wallZ, baseY, camera: { ...camera, baseline } }, pedestal, stand, backdrop };
}

function chooseWarmth({ look, words }: SetWish): Look['warmth'] {
  if (words?.light === 'cool') return 'cool';
  return words?.light === 'warm' && look.warmth === 'day' ? 'warm' : look.warmth;
}

/** A sweep is of one piece: where floor and wall are of different stuff, they meet in a line. */
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

function choosePalette(
  { mode, features, words, wallColor, look }: SetWish,
  random: SeededRandom,
): ScenePalette {
  const spoken = words?.colors ?? {};
  const wall = spoken.wall ?? wallColor ?? wallOfStuff(words, look);
  const asked = wall ? { ...spoken, wall: { name: 'wall', isMetal: false, ...wall } } : spoken;
  const product = { main: features.mainColor, mean: features.meanColor };
  return makePalette({ mode, product, asked, mood: words?.mood }, random);
}

/** Water, folds and flat lays fill the picture: what is behind them takes after the colour that they were given. */
function wallOfStuff(words: PromptReading | undefined, look: Look): Oklch | undefined {
  const stuff = words?.materialColor ?? words?.colors.floor;
  const spreads = ['drape', 'water', 'flatlay'].includes(look.composition) || look.floor === 'satin';
  return stuff && spreads
    ? { l: clamp(stuff.l + 0.06, 0.26, 0.9), c: stuff.c * 0.75, h: stuff.h }
    : undefined;
}

function chooseFinishes(wish: SetWish, palette: ScenePalette): Stage['finishes'] {
  const { look, words, features } = wish;
  const isFlatlay = look.composition === 'flatlay';
  const companions = [palette.accent, palette.wall, { ...palette.accent, h: palette.accent.h + 150 }];
  const finishOf = (place: 'wall' | 'floor' | 'pedestal', material: Material): Finish => {
    const any = words?.materials.any;
    const spoken = words?.materials[place] ?? (any?.material === material ? any : undefined);
    const askedColor =
      words?.colors[place] ?? (any?.material === material ? words?.materialColor : undefined);
    if (spoken) return makeSpokenFinish(spoken, askedColor, palette[place], companions);
    const isOwn = materialFacts[material].own.length > 0 && !look.isPainted && !askedColor;
    const keepsOwn = isOwn && (place !== 'wall' || isFlatlay);
    const color = keepsOwn
      ? standApart(material, features.meanColor, isFlatlay)
      : (askedColor ?? palette[place]);
    return makeFinish({ material, color, companions }, palette[place]);
  };
  const wall = finishOf('wall', look.wall);
  const metal = words?.colors.accent?.isMetal ? words.colors.accent : undefined;
  const accent =
    metal || look.accent === 'gold'
      ? makeFinish({ material: 'metal', color: metal }, palette.accent)
      : makeFinish(
          { material: words?.materials.accent?.material ?? 'matte', color: palette.accent },
          palette.accent,
        );
  const floor = finishOf('floor', look.floor);
  return { wall: isFlatlay ? floor : wall, floor, pedestal: finishOf('pedestal', look.pedestal), accent };
}

/** On a flat lay the material is the whole backdrop: a product of its very colour would drown. */
function standApart(material: Material, product: Oklch, isFlatlay: boolean): Oklch | undefined {
  const own = oklchFromHex(materialFacts[material].own[0]!);
  if (!isFlatlay || colorDistance(own, product) >= 0.12) return undefined;
  return { ...own, l: own.l > 0.6 ? own.l - 0.17 : own.l + 0.17 };
}

const backOfShape: Partial<Record<Shape, Back>> = {
  arch: 'arch',
  disc: 'disc',
  panel: 'panels',
  curtain: 'curtain',
  palm: 'palms',
};
const shapesOfBack: Record<Back, readonly Shape[]> = {
  none: [],
  arch: ['arch'],
  disc: ['disc'],
  panels: ['panel'],
  blocks: ['box'],
  columns: ['cylinder'],
  curtain: ['curtain'],
  stones: ['stone'],
  palms: ['palm'],
  'ball-post': ['sphere', 'disc', 'cylinder'],
};
const sideOfShape: Partial<Record<Shape, Side>> = {
  sphere: 'spheres',
  stone: 'stones',
  branch: 'branches',
  petals: 'petals',
  palm: 'palms',
};
const shapesOfSide: Record<Side, readonly Shape[]> = {
  none: [],
  spheres: ['sphere'],
  stones: ['stone'],
  'potted-plant': ['branch', 'pot'],
  branches: ['branch'],
  palms: ['palm'],
  petals: ['petals'],
  cubes: ['box'],
  'rim-branches': ['branch', 'petals'],
};

function chooseBack({ look, words }: SetWish, backs: readonly Back[], random: SeededRandom): Back {
  const drawn = random.pick(backs);
  if (look.composition === 'flatlay' || look.composition === 'shelf') return 'none';
  const asked = words?.shapes.flatMap((shape) => backOfShape[shape] ?? [])[0];
  if (asked && asked !== 'palms') return asked;
  const isUnwanted = words?.unwanted.some((shape) => shapesOfBack[drawn].includes(shape)) ?? false;
  // Minimal sets have one idea: the stand.
  return isUnwanted || (words?.mood === 'minimal' && backs.includes('none')) ? 'none' : drawn;
}

interface Placing {
  readonly pedestal: ScenePlan['pedestal'];
  readonly stand: Stand;
  readonly hasBack: boolean;
}

/** Balls and petals tell a size: beside a sofa they make it a toy. */
const tellsSize: ReadonlySet<Side> = new Set(['spheres', 'cubes', 'petals']);

function chooseSides(
  { look, words, staging }: SetWish,
  offered: readonly Side[],
  stage: Stage,
  hasBack: boolean,
): Side[] {
  const { random, finishes, frame } = stage;
  const isLarge = staging === 'large';
  const sides = isLarge ? [...offered.filter((side) => !tellsSize.has(side)), 'none' as const] : offered;
  const drawn = random.pick(sides);
  const asked = [...new Set(words?.shapes.flatMap((shape) => sideOfShape[shape] ?? []) ?? [])];
  if (look.composition === 'flatlay') return [asked.length > 0 ? 'rim-branches' : drawn];
  if (asked.length > 0) return asked.slice(0, 2);
  // Gold that was asked for must have something to be on.
  const isGilded = finishes.accent.material === 'metal' && (!isLarge || words?.colors.accent?.isMetal);
  if (isGilded) return ['spheres'];
  if (words?.mood === 'minimal') return ['none'];
  const others = sides.filter((side) => side !== 'none' && side !== drawn);
  // A bare stage looks unfinished, and a wide frame with one thing in it unbalanced.
  if (drawn === 'none' && !hasBack) return others.slice(0, 1);
  return frame.aspect > 1.5 ? [drawn, ...others.slice(0, 1)] : [drawn];
}

function makeSides(wish: SetWish, sides: readonly Side[], stage: BuiltStage, placing: Placing): Prop[] {
  const { pedestal, stand, hasBack } = placing;
  const isFlatlay = wish.look.composition === 'flatlay';
  const wanted = chooseSides(wish, sides, stage, hasBack).filter(
    (kind) => !wish.words?.unwanted.some((shape) => shapesOfSide[kind].includes(shape)),
  );
  const isShelf = stand === 'shelf';
  // A shelf is as wide as the frame: what is beside the product stands on it.
  const levels = isShelf ? [] : (pedestal?.levels ?? []);
  const props = wanted.flatMap((kind) => makeSideProps(kind, stage, levels));
  const placed = isShelf
    ? props.map((prop) => ({
        ...prop,
        y: prop.y + shareOf(stage, stage.baseY),
        z: clamp(prop.z, -0.45, 0.02),
      }))
    : props;
  const clear = placed.filter(({ shape, u, z, width }) => {
    const isBehind = shape === 'branch' || shape === 'palm' || z <= -0.3 || isFlatlay;
    return isBehind || Math.abs(u) - halfU(stage, width, z) >= freeZone(stage) - 0.03;
  });
  return clear.slice(0, 12);
}
