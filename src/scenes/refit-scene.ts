/**
 * Fits a planned scene to another product. Everything that makes pictures look alike stays: set, colors, light, camera
 * and the line on which products stand. What depends on the product follows it: its size, its stand, and the props
 * that it would hide.
 */
import { opticalShare, shareOfSize } from '../recipes/optical-size.ts';
import { type Frame, measureFrame, type Prop, type ScenePlan, type Staging } from '../studio/scene-plan.ts';
import { measureStand } from '../studio/stage-scene.ts';
import { clamp } from './oklch.ts';
import type { ProductFeatures } from './product-features.ts';
import { centerSubject, maxTop } from './sets/camera.ts';
import { hangUp, standUp } from './turn-scene.ts';

export interface FittedProduct {
  readonly features: Pick<ProductFeatures, 'aspect' | 'fill' | 'areaOffset'>;
  readonly staging: Staging;
}

/** The same look and product always give the same plan. */
export function refitScene(look: ScenePlan, { features, staging }: FittedProduct): ScenePlan {
  const turned = turnOf(look, staging);
  const plan = turned === undefined ? look : turned === 'hangs' ? hangUp(look) : standUp(look);
  const frame = measureFrame(plan);
  const place = findPlace(look, plan, frame);
  const share = opticalShare({ ...features, staging }, place.width / place.height);
  const height = share * Math.min(place.height, place.width / features.aspect);
  const size = { width: height * features.aspect, height };
  const { lift } = plan.subject;
  const subject = { ...centerSubject(size, frame, features), ...(lift !== undefined && { lift }) };
  const camera = { ...plan.camera, ...keepFrame(size, frame) };
  const reach = reachOf(subject);
  return {
    ...plan,
    staging,
    subject,
    pedestal: fitStand({ ...plan, staging, subject, camera }, 2 * reach),
    sideProps: makeRoom(plan, reach),
    camera,
  };
}

/** How a product is shown that cannot stand, or lie, as the look shows its products. */
export type Turned = 'hangs' | 'stands' | undefined;

/** Clothes hang; most upright products, photographed from the front, cannot lie. */
export function turnOf({ composition }: Pick<ScenePlan, 'composition'>, staging: Staging): Turned {
  if (composition !== 'flatlay') return staging === 'garment' ? 'hangs' : undefined;
  return ['garment', 'panel', 'small-precious'].includes(staging) ? undefined : 'stands';
}

/** Most of the frame that a product takes; more would crowd it. */
const maxShare = { width: 0.7, standing: 0.62, lying: 0.8 };

/** The largest size of a product in this look, in scene units. `plan` is the look, turned for the product. */
function findPlace(look: ScenePlan, plan: ScenePlan, frame: Frame): { width: number; height: number } {
  const { camera } = plan;
  // A look made for a ring has a small product in it, and a chair should not be as small.
  const fullSize = look.composition === 'flatlay' ? 1 : 1 / shareOfSize(look.staging);
  const standing = Math.min(maxShare.standing, maxTop(frame) - camera.baseline);
  const tallest = plan.composition === 'flatlay' ? maxShare.lying : standing;
  return {
    height: Math.min(camera.fillH * fullSize, tallest) * frame.height,
    width: Math.min(camera.fillW * fullSize, maxShare.width) * frame.height * frame.aspect,
  };
}

/** Fill factors with which the camera stays where it is. The smallest fill of a plan is 0.2. */
function keepFrame({ width, height }: { width: number; height: number }, frame: Frame) {
  const share = (length: number, all: number): number => Math.max(0.2, length / all);
  return { fillH: share(height, frame.height), fillW: share(width, frame.height * frame.aspect) };
}

/** Distance from the set's middle to the product's farther side, in scene units. */
const reachOf = ({ width, shift = 0 }: ScenePlan['subject']): number => width / 2 + Math.abs(shift);

/** Sets in which the product stands in water, on a shelf or between folds keep their stand. */
const keepsStand: ReadonlySet<ScenePlan['composition']> = new Set(['water', 'shelf', 'drape', 'dune']);

/** Height of a stand that furniture may have, in scene units: a rug. */
const rugHeight = 0.05;

/** Furniture on a podium looks like a toy, and its rear feet stand behind the podium. */
function standsOnFloor({ composition, place, pedestal }: ScenePlan, staging: Staging): boolean {
  if (staging !== 'large' || pedestal === null || place !== undefined || keepsStand.has(composition))
    return false;
  return measureStand({ pedestal }) > rugHeight;
}

/** `width` is the product's, in scene units. */
function fitStand(plan: ScenePlan, width: number): ScenePlan['pedestal'] {
  if (plan.pedestal === null || standsOnFloor(plan, plan.staging)) return null;
  return plan.place === undefined ? widen(plan.pedestal, width) : deepen(plan, plan.pedestal);
}

/** A stand is at least 15 % wider than what stands on it; `width` is in scene units. */
function widen(pedestal: NonNullable<ScenePlan['pedestal']>, width: number): ScenePlan['pedestal'] {
  const factor = Math.max(1, (1.15 * width) / pedestal.levels.at(-1)!.width);
  const levels = pedestal.levels.map((level) => ({
    ...level,
    width: Math.min(16, level.width * factor),
    depth: level.shape === 'box' ? level.depth : Math.min(16, level.depth * factor),
  }));
  return { ...pedestal, levels };
}

/** Height of the far edge of a place's ground above the foot of furniture, as a share of its height: as planned for it. */
const floorEdge = 0.46;

/** The rear feet of furniture stand farther back than a table reaches. */
function deepen(plan: ScenePlan, pedestal: NonNullable<ScenePlan['pedestal']>): ScenePlan['pedestal'] {
  const { staging, subject, camera } = plan;
  const [slab] = pedestal.levels;
  if (staging !== 'large' || !slab) return pedestal;
  const { distance } = measureFrame(plan);
  const eye = Math.tan((camera.elevDeg * Math.PI) / 180) * distance;
  // The ground at a depth appears eye * depth / (distance + depth) above the foot.
  const line = Math.min(floorEdge * subject.height, 0.55 * eye);
  const front = slab.depth / 2 + slab.z;
  const back = clamp((line * distance) / (eye - line), slab.depth / 2 - slab.z, 6);
  return { ...pedestal, levels: [{ ...slab, depth: front + back, z: (front - back) / 2 }] };
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
