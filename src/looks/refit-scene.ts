/**
 * Fits the planned scene of a look (a saved scene) to another product. Everything that makes pictures look alike stays
 * the same: set, colors, light, camera, horizon, stand, and the line on which products stand. The stand, and the props
 * where possible, leave room for the widest product of the look, so they are the same for all products. Only two things
 * depend on the product: its size and, if the frame has too little room for all props beside the widest product, the
 * position and number of the props.
 */
import { clamp } from 'packshot-pixels';
import {
  flushEdge,
  maxTop,
  type PlacedFeatures,
  type ProductFeatures,
  placeSubject,
  usualLength,
} from 'packshot-sets';
import { type Frame, measureFrame, type Prop, type ScenePlan, type Staging } from 'packshot-studio';
import { opticalShare } from '../rendering/optical-size.ts';
import { makeStand, shrinkOntoStand, widestOnStand } from './fit-stand.ts';
import { standUp } from './turn-scene.ts';

export interface LookProduct {
  readonly features: PlacedFeatures & Partial<Pick<ProductFeatures, 'legsElevationDeg'>>;
  readonly staging: Staging;
  /** Whether the product was photographed lying down, from above; default false. */
  readonly lies?: boolean | undefined;
  /** Whether the product hangs in its photo, or the photo crops its foot; default false. */
  readonly hangs?: boolean | undefined;
  /** Real length of the product's longer side, in centimeters; if undefined, the usual length for its staging. */
  readonly lengthCm: number | undefined;
}

/** Deterministic: the same look and product give the same plan. */
export function refitScene(look: ScenePlan, product: LookProduct): ScenePlan {
  const { features, staging } = product;
  const plan = turnOf(look, product) === 'stands' ? standUp(look) : sinkFoot(look, product);
  const isFlat = plan.composition === 'flatlay';
  const lies = product.lies === true && !isFlat;
  const isWall = look.subject.hangs === true && product.lies !== true;
  const hangs = isFlat && (product.hangs === true || isWall);
  const frame = measureFrame(plan);
  const place = measurePlace(look, plan);
  const size = sizeProduct(place, product, (height) =>
    plan.pedestal === null ? 1 : shrinkOntoStand({ ...features, height, lies }, frame),
  );
  const isOnStand = plan.pedestal !== null && plan.place === undefined;
  const placed = placeSubject(size, frame, isOnStand ? { ...features, cropped: {} } : features);
  const subject = { ...placed, ...(lies && { lies }), ...(hangs && { hangs }) };
  const { flushWith: _, ...camera } = plan.camera;
  return {
    ...plan,
    staging,
    subject,
    pedestal: makeStand(plan, place.width),
    sideProps: placeProps(plan, place.width / 2, reachOf(subject)),
    camera: { ...camera, ...keepFrame(size, frame), ...(isFlat && flushEdge(features)) },
  };
}

/** A product whose foot the photo crops has its foot below the picture's lower edge, too, and so needs no stand. */
function sinkFoot(look: ScenePlan, { features: { cropped } }: LookProduct): ScenePlan {
  if (look.composition === 'flatlay' || cropped.bottom === undefined) return look;
  const pedestal = look.place === undefined ? null : look.pedestal;
  return { ...look, pedestal, camera: { ...look.camera, baseline: 0 } };
}

/** How to show a product that cannot stand (or lie) like the look's other products; undefined if it can. */
export type Turned = 'worn' | 'stands' | undefined;

/**
 * Clothes stand on their hem, as on an invisible mannequin. Most upright products are photographed from the
 * front, so they cannot be shown lying flat.
 */
export function turnOf(
  { composition }: Pick<ScenePlan, 'composition'>,
  { staging, lies = false, hangs = false }: Pick<LookProduct, 'staging' | 'lies' | 'hangs'>,
): Turned {
  if (lies || hangs) return undefined;
  if (composition !== 'flatlay') return staging === 'garment' ? 'worn' : undefined;
  return ['garment', 'panel', 'small-precious'].includes(staging) ? undefined : 'stands';
}

/** Minimum length of a product's shorter side, in scene units, so that a pencil is still visible. */
const minSide = 0.051;
/** Maximum size of a product, as fractions of the frame's width (`width`) and height; more would look crowded. */
const maxShare = { width: 0.7, standing: 0.62, lying: 0.8 };

/**
 * Maximum size of the longest products, as a multiple of the share of the picture that the plan's camera gives to the
 * product (`fillH`, `fillW`). It is larger for scenes that were planned for rings or furniture, which leave more space
 * around the product than other scenes.
 */
const roomAround = (staging: Staging): number =>
  staging === 'small-precious' ? 1.35 : staging === 'large' ? 1.24 : 1.12;

/** The area available to every product of a look, in scene units. `plan` is the look, adapted to the product's pose. */
function measurePlace(look: ScenePlan, plan: ScenePlan): Size {
  const { camera } = plan;
  const frame = measureFrame(plan);
  const room = look.composition === 'flatlay' ? 1 : roomAround(look.staging);
  const standing = Math.min(maxShare.standing, maxTop(frame) - camera.baseline);
  const height = Math.min(camera.fillH * room, plan.composition === 'flatlay' ? maxShare.lying : standing);
  const width = Math.min(camera.fillW * room, maxShare.width) * frame.aspect;
  return { height: height * frame.height, width: Math.min(width * frame.height, widestOnStand(plan)) };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `shrink` returns the factor by which a product of the given height is scaled to fit the stand. */
function sizeProduct(
  place: Size,
  { features, staging, lengthCm }: LookProduct,
  shrink: (height: number) => number,
): Size {
  const share = opticalShare(
    { ...features, lengthCm: lengthCm ?? usualLength(staging) },
    place.width / place.height,
  );
  const full = Math.min(place.height, place.width / features.aspect);
  const wanted = share * full;
  const height = Math.max(
    wanted * shrink(wanted),
    Math.min(full, minSide * Math.max(1, 1 / features.aspect)),
  );
  return { width: height * features.aspect, height };
}

/** Minimum fill of a plan's camera. */
const minFill = 0.05;

/** The camera's fill factors for a product of this size in the same frame, so that the camera stays where it is. */
function keepFrame({ width, height }: Size, frame: Frame) {
  const share = (length: number, all: number): number => Math.max(minFill, length / all);
  return { fillH: share(height, frame.height), fillW: share(width, frame.height * frame.aspect) };
}

/** Free space between a product and the props beside it, as a fraction of half the frame's width. */
const gap = 0.06;
/** Outer limit of a prop's middle, in the same unit: farther out, the frame cuts the prop in half or hides it. */
const maxU = 1;

/** Distance from the set's middle to the product's farther side, in scene units. */
const reachOf = ({ width, shift = 0 }: ScenePlan['subject']): number => width / 2 + Math.abs(shift);

/**
 * Moves the props to where even the look's widest product leaves room for all of them. If a prop would leave the frame
 * in this way, moves all props only as far as this product needs.
 */
function placeProps(plan: ScenePlan, widest: number, own: number): Prop[] {
  const forAll = makeRoom(plan, widest);
  return forAll.length === plan.sideProps.length ? forAll : makeRoom(plan, own);
}

/** Moves the props of each side outward together, as far as the product needs; drops props that leave the frame. */
function makeRoom(plan: ScenePlan, reach: number): Prop[] {
  const { height, aspect, distance } = measureFrame(plan);
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

/** z coordinate of a standing product's back, in scene units. */
const behind = -0.8;
const plants: ReadonlySet<Prop['shape']> = new Set([
  'branch',
  'olive',
  'palm',
  'monstera',
  'pampas',
  'petals',
]);
