/**
 * Fits a planned scene to another product. Everything that makes pictures look alike stays: set, colors, light, camera,
 * horizon, the stand and the line on which products stand. What depends on the product follows it: its size, the
 * stand's width, and the props that it would hide.
 */
import { opticalShare } from '../recipes/optical-size.ts';
import {
  type Frame,
  measureFrame,
  type PedestalLevel,
  type Prop,
  type ScenePlan,
  type Staging,
} from '../studio/scene-plan.ts';
import { clamp } from './oklch.ts';
import { usualLength } from './product/real-lengths.ts';
import type { ProductFeatures } from './product-features.ts';
import { centerSubject, maxTop } from './sets/camera.ts';
import { standUp } from './turn-scene.ts';

export interface FittedProduct {
  readonly features: Pick<ProductFeatures, 'aspect' | 'fill' | 'areaOffset'> &
    Partial<Pick<ProductFeatures, 'legsElevationDeg'>>;
  readonly staging: Staging;
  /** Whether it was photographed lying, from above; default false. */
  readonly lies?: boolean | undefined;
  /** Real length of its longer side, in centimeters; undefined if only its staging is known. */
  readonly lengthCm: number | undefined;
}

/** The same look and product always give the same plan. */
export function refitScene(look: ScenePlan, product: FittedProduct): ScenePlan {
  const { features, staging } = product;
  const plan = turnOf(look, product) === 'stands' ? standUp(look) : look;
  const lies = product.lies === true && plan.composition !== 'flatlay';
  const frame = measureFrame(plan);
  const size = sizeProduct(look, plan, product);
  const subject = { ...centerSubject(size, frame, features), ...(lies && { lies }) };
  const camera = { ...plan.camera, ...keepFrame(size, frame) };
  const reach = reachOf(subject);
  return {
    ...plan,
    staging,
    subject,
    pedestal: fitStand({ ...plan, subject, camera }, reach, riseOf(subject, features)),
    sideProps: makeRoom(plan, reach),
    camera,
  };
}

/** How a product is shown that cannot stand, or lie, as the look shows its products. */
export type Turned = 'worn' | 'stands' | undefined;

/**
 * Clothes stand on their hem, as on an invisible mannequin; most upright products, photographed from the front, cannot
 * lie.
 */
export function turnOf(
  { composition }: Pick<ScenePlan, 'composition'>,
  { staging, lies = false }: Pick<FittedProduct, 'staging' | 'lies'>,
): Turned {
  if (lies) return undefined;
  if (composition !== 'flatlay') return staging === 'garment' ? 'worn' : undefined;
  return ['garment', 'panel', 'small-precious'].includes(staging) ? undefined : 'stands';
}

/** A pencil is still seen, in scene units. */
const minSide = 0.051;
/** Most of the frame that a product takes; more would crowd it. */
const maxShare = { width: 0.7, standing: 0.62, lying: 0.8 };

/**
 * Room for the longest products, as a multiple of the planned camera's fill: scenes for rings and furniture leave more
 * space around them than others.
 */
const roomAround = (staging: Staging): number =>
  staging === 'small-precious' ? 1.35 : staging === 'large' ? 1.24 : 1.12;

/** The product's size in scene units. `plan` is the look, turned for the product. */
function sizeProduct(look: ScenePlan, plan: ScenePlan, { features, staging, lengthCm }: FittedProduct) {
  const { camera } = plan;
  const frame = measureFrame(plan);
  const room = look.composition === 'flatlay' ? 1 : roomAround(look.staging);
  const standing = Math.min(maxShare.standing, maxTop(frame) - camera.baseline);
  const place = {
    height: Math.min(camera.fillH * room, plan.composition === 'flatlay' ? maxShare.lying : standing),
    width: Math.min(camera.fillW * room, maxShare.width) * frame.aspect,
  };
  const share = opticalShare(
    { ...features, lengthCm: lengthCm ?? usualLength(staging) },
    place.width / place.height,
  );
  const full = Math.min(place.height, place.width / features.aspect) * frame.height;
  const height = Math.max(share * full, Math.min(full, minSide * Math.max(1, 1 / features.aspect)));
  return { width: height * features.aspect, height };
}

/** The smallest fill of a plan's camera. */
const minFill = 0.05;

/** Fill factors with which the camera stays where it is. */
function keepFrame({ width, height }: { width: number; height: number }, frame: Frame) {
  const share = (length: number, all: number): number => Math.max(minFill, length / all);
  return { fillH: share(height, frame.height), fillW: share(width, frame.height * frame.aspect) };
}

/** Distance from the set's middle to the product's farther side, in scene units. */
const reachOf = ({ width, shift = 0 }: ScenePlan['subject']): number => width / 2 + Math.abs(shift);

/** The farthest that feet stand behind the product's front, in scene units; as the product's own shadow assumes. */
const maxFootDepth = 1.2;
/** Free stand behind the rear feet, in scene units. */
const behindFeet = 0.06;
/** A wider stand would lose its shape, as a share of the frame's width. */
const maxStandShare = 0.92;

/** The lower outline of what lies is at most this share of its height above its lowest point. */
const lyingRise = 0.6;

/** How much higher in the picture the rear feet of the product are than its front, in scene units. */
const riseOf = (
  { width, height, lies }: ScenePlan['subject'],
  { legsElevationDeg = 0 }: FittedProduct['features'],
): number => (lies ? lyingRise * height : Math.sin((legsElevationDeg * Math.PI) / 180) * width);

/** `reach` is half the product's width, `rise` that of its rear feet, in scene units. */
function fitStand(plan: ScenePlan, reach: number, rise: number): ScenePlan['pedestal'] {
  const { pedestal, subject } = plan;
  if (pedestal === null) return null;
  const { distance, height, aspect } = measureFrame(plan);
  // Rear feet appear this much higher, and the scene's camera tells how far back that is.
  const eye = Math.tan((plan.camera.elevDeg * Math.PI) / 180) * distance;
  const depth = rise < eye ? Math.min(maxFootDepth, (rise * distance) / (eye - rise)) : maxFootDepth;
  const back = rise > 0 ? depth + behindFeet : 0;
  const top = pedestal.levels.at(-1)!;
  const widest = Math.max(maxStandShare * height * aspect, 2.3 * reach, top.width);
  // A round stand under four feet is centered between them.
  const shift = top.shape === 'box' ? 0 : Math.max(0, top.z + back / 2);
  const round =
    top.shape === 'box' || rise === 0 ? 0 : 2 * Math.hypot((subject.lies ? 1 : 0.8) * reach, back / 2);
  const factor = Math.min(widest, Math.max(top.width, 2.3 * reach, round)) / top.width;
  return { ...pedestal, levels: pedestal.levels.map((level) => fitLevel(level, { factor, shift, back })) };
}

interface StandFit {
  /** How much wider the stand gets, from 1. */
  readonly factor: number;
  /** How far a round stand moves back, and how far a box reaches behind the product's front, in scene units. */
  readonly shift: number;
  readonly back: number;
}

function fitLevel(level: PedestalLevel, { factor, shift, back }: StandFit): PedestalLevel {
  const width = Math.min(16, level.width * factor);
  if (level.shape !== 'box')
    return { ...level, width, depth: Math.min(16, level.depth * factor), z: level.z - shift };
  const front = level.z + level.depth / 2;
  const depth = Math.max(level.depth, front + back);
  return { ...level, width, depth, z: front - depth / 2 };
}

/** Free space between a product and the props beside it, in frame units. */
const gap = 0.06;
/** A prop whose middle lies farther out is cut in half by the frame or hidden. */
const maxU = 1;

/** Moves the props of each side outward together, as far as the product needs; drops those that leave the frame. */
function makeRoom(plan: ScenePlan, reach: number): Prop[] {
  const frame = measureFrame(plan);
  const { height, aspect, distance } = frame;
  const needed = (2 * reach) / (height * aspect) + gap;
  const inner = ({ u, z, width, shape }: Prop): number => {
    const isSolid = !plants.has(shape);
    const half = isSolid ? (width * distance) / (aspect * (distance - z)) : 0.08;
    return Math.abs(u) - half;
  };
  return plan.sideProps.flatMap((prop, _, all) => {
    const side = Math.sign(prop.u);
    const group = all.filter(({ u, z }) => Math.sign(u) === side && z > behind);
    const push = Math.max(0, needed - Math.min(...group.map(inner)));
    const u = prop.u + side * push;
    return prop.z > behind && push > 0 && Math.abs(u) > maxU ? [] : [{ ...prop, u: clamp(u, -2, 2) }];
  });
}

/** Depth of the back of a standing product, in scene units. */
const behind = -0.8;
const plants: ReadonlySet<Prop['shape']> = new Set([
  'branch',
  'olive',
  'palm',
  'monstera',
  'pampas',
  'petals',
]);
