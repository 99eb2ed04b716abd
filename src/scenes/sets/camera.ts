/** Framing of a set: product size, baseline and camera elevation. */

import type { Variant } from '../../recipes/catalogue.ts';
import {
  type Camera,
  type Frame,
  measureFrame,
  type ScenePlan,
  type Staging,
} from '../../studio/scene-plan.ts';
import { measureDepth } from '../../studio/stage-scene.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { CompositionParts, Stand } from './compositions.ts';
import { fillFrame, isAiry, isBushy } from './fill-frame.ts';
import { flushEdge, hungFill, shiftToSide, spanFrame } from './flush.ts';

/** Products with a larger aspect ratio (width divided by height) have a fixed width instead of a fixed height. */
const wideFrom = 1.3;
export const wideWidth = 1.35;

/** Returns the product's size in scene units. `aspect` is width divided by height. */
export function sizeSubject(aspect: number): ScenePlan['subject'] {
  // Clamps only products thinner than a pencil, which is 20 times as long as wide.
  const known = clamp(aspect, 0.05, 25);
  return known > wideFrom
    ? { width: wideWidth, height: Math.min(1, wideWidth / known) }
    : { width: known, height: 1 };
}

/** Maximum fractions of the frame for a product in a flat lay. */
const flatFill = { fillW: 0.66, fillH: 0.72 } as const;

/** What the placement of a product depends on. */
export type PlacedFeatures = Pick<
  ProductFeatures,
  'areaOffset' | 'aspect' | 'cropped' | 'fill' | 'solidity' | 'thinness'
>;

/** Maximum shift of the product, as a fraction of the frame's width. */
const maxFrameShift = 0.06;
/** Minimum margin beside a shifted product, as a fraction of the frame's width. */
const minMargin = 0.06;
/**
 * Maximum shift as a fraction of the product's width. A stand is at least 1.15 times as wide as the product, so
 * the shifted product stays on the stand.
 */
const maxSubjectShift = 0.07;

/**
 * Shifts the product so that its centroid is centered rather than its box: a handle, for example, counts little. If the
 * photo crops the product on one side, the product touches this side of the frame. Also notes whether it is bushy.
 */
export function placeSubject(
  subject: ScenePlan['subject'],
  frame: Frame,
  { areaOffset, cropped, ...outline }: PlacedFeatures,
): ScenePlan['subject'] {
  const shape = isBushy(outline) ? { isBushy: true } : {};
  const { height, aspect } = frame;
  const toSide = shiftToSide(subject, frame, { cropped });
  if (toSide !== undefined) return { ...subject, shift: toSide, ...shape };
  const free = (0.5 - minMargin) * height * aspect - subject.width / 2;
  const maxShift = Math.max(
    0,
    Math.min(free, maxFrameShift * height * aspect, maxSubjectShift * subject.width),
  );
  return {
    ...subject,
    shift: clamp(0 - areaOffset * subject.width, -maxShift, maxShift),
    ...shape,
  };
}

/** Maximum height of a product's foot above the frame's lower edge, as a fraction of the frame's height. */
const highestFoot = 0.3;
/** The same for furniture. If its feet were higher up, half the picture would be empty floor. */
const highestFeet = 0.24;

/** Tangent of half the vertical angle of view. The whole angle is 24 degrees, as with a portrait lens. */
export const usualLens = 0.21;

/**
 * Blur around furniture in a room, as a fraction of the picture's longer side. It is slight, because furniture is
 * photographed from so far away that the wall is almost sharp.
 */
export const roomBlur = 0.003;

interface FramingWish {
  readonly parts: CompositionParts;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly subject: ScenePlan['subject'];
  readonly stand: Stand;
  readonly isFlatlay: boolean;
  /** Whether a prompt requests props beside the product. */
  readonly hasProps: boolean;
  readonly features: ProductFeatures;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
}

export function frameSet(wish: FramingWish, random: SeededRandom): Camera {
  const { staging, ratio, subject, stand, isFlatlay, hasProps, features, lengthCm } = wish;
  if (isFlatlay) {
    const lens = { tan: 0.16, elevDeg: 0, ...(staging === 'hung' && !hasProps ? hungFill : flatFill) };
    const { height } = measureFrame({ ratio, subject, camera: { ...lens, baseline: 0 } });
    const baseline = clamp(0.5 - subject.height / (2 * height), 0.05, 0.5);
    return spanFrame({ ...lens, baseline, ...flushEdge(features) }, { ratio, subject }, features);
  }
  const fills = fillFrame({
    staging,
    ratio,
    subject,
    fill: features.fill,
    lengthCm,
    sharesFrame: wish.hasProps || stand !== 'none',
  });
  const lens = { tan: usualLens, ...fills };
  const frame = measureFrame({ ratio, subject, camera: { ...lens, elevDeg: 0, baseline: 0 } });
  const camera = { ...lens, elevDeg: chooseElevation(wish, frame, random) };
  // Centers the product slightly below the middle, but lower in a tall frame, whose lower half would otherwise be
  // empty.
  const rest = 0.5 - subject.height / (2 * frame.height) - 0.05;
  return {
    ...camera,
    baseline: clamp(rest, 0.17, staging === 'large' ? highestFeet : highestFoot),
  };
}

/** The camera of a product that hangs in front of a place, without any ground: at the product's height. */
export const frameHung = (
  set: Pick<ScenePlan, 'ratio' | 'subject'>,
  features: Pick<ProductFeatures, 'cropped'>,
): Camera => {
  const camera = { tan: usualLens, elevDeg: 0, ...hungFill, baseline: 0.1, ...flushEdge(features) };
  return spanFrame(camera, set, features);
};

/** Upper limit of the product's top, as a fraction of the frame's height; a tall frame reserves space for text. */
export function maxTop({ aspect }: Frame): number {
  return aspect < 0.6 ? 0.79 : 0.92;
}

/**
 * Returns the photo's camera elevation if the product's rim or foot reveals it. Otherwise, large products get the
 * elevation that their legs reveal, or the lowest from which their body hides the rear legs. Thin products and potted
 * plants get `usualForPlants`, and all others a random elevation.
 */
function chooseElevation(
  { parts, staging, subject, features, stand }: FramingWish,
  frame: Frame,
  random: SeededRandom,
): number {
  const drawn = raiseForLow(random.between(parts.elevDeg[0], parts.elevDeg[1]), staging, features);
  const { viewElevationDeg, legsElevationDeg } = features;
  // A shelf is at eye level: from high above, its front would fill the picture.
  const lowest = staging === 'large' ? lowestForLarge : 4;
  if (viewElevationDeg !== undefined) return clamp(viewElevationDeg, lowest, stand === 'shelf' ? 16 : 30);
  if (staging !== 'large') return isAiry(features) || isBushy(features) ? usualForPlants : drawn;
  return clamp(legsElevationDeg ?? hideRearLegs(features, subject, frame), lowest, 28);
}

/**
 * If the photo shows no rear legs, the camera is assumed to be so high that the body hides them, but not higher than
 * `highestForHidden`, in degrees. Some bodies, such as the top of a dining table, would hide them only from an
 * elevation above `implausible`. The photo is then assumed to be taken from the front, where the front legs hide the
 * rear legs.
 */
const highestForHidden = 26;
/** The same in a wide frame, which shows so much floor that it would seem to rise more steeply than the seat. */
const highestInWide = 19;
const wideFrame = 1.5;
const implausible = 33;
/**
 * `highestForHidden` for furniture as low as a sofa: at least `lowFrom` times as wide as high. A higher camera would
 * show the floor more from above than the photo shows the sofa. Viewers do not expect to see a sofa's rear legs, so the
 * camera need not be so high that the body hides them.
 */
const highestForLow = 8.3;
const lowFrom = 1.5;
export const isSofaShaped = (aspect: number): boolean => aspect >= lowFrom;
/** Whether the product is furniture that is not as wide as a sofa. */
export const isChair = (staging: Staging, { aspect }: Pick<ProductFeatures, 'aspect'>): boolean =>
  staging === 'large' && !isSofaShaped(aspect);

/**
 * Lowest camera elevation, in degrees, from which the body of furniture hides its rear feet. From a lower camera, the
 * rear feet should be visible between the front legs; but the cutout does not show them, so the furniture would seem to
 * stand on two legs. The result is at most `highestForHidden` or `highestInWide`, or `highestForLow` for a sofa. It
 * is 0 if the body would hide the feet only from above `implausible`.
 */
export function hideRearLegs(
  { clearance = 0 }: Pick<ProductFeatures, 'clearance'>,
  subject: ScenePlan['subject'],
  { distance, aspect }: Frame,
): number {
  const depth = measureDepth(subject);
  // The rear feet appear eye * depth / (distance + depth) above the front feet.
  const eye = (clearance * subject.height * (distance + depth)) / depth;
  const elevation = (Math.atan(eye / distance) * 180) / Math.PI;
  const highestForChair = aspect > wideFrame ? highestInWide : highestForHidden;
  const highest = isSofaShaped(subject.width / subject.height) ? highestForLow : highestForChair;
  return elevation > implausible ? 0 : Math.min(highest, elevation);
}

/**
 * Lowest camera elevation for furniture, in degrees. It is used unless the photo reveals a higher elevation: by a rim
 * or foot, by visible rear legs, or by a body that hides them. If the photo reveals no elevation, the cutout has no
 * rear legs, and a higher camera would show bare floor where they should stand.
 */
export const lowestForLarge = 5.5;

/**
 * Below this elevation, in degrees, floorboards under furniture are laid across the picture, because boards that run
 * toward the camera would fan out too far.
 */
export const acrossBelow = 8;

/**
 * Usual camera elevation, in degrees, for products that are not much taller than wide, if the photo does not reveal
 * the elevation. `raiseForLow` raises lower random elevations to about this value.
 */
const usualForLow = 14;
/**
 * The same for thin products and potted plants. Most are photographed from about their own height, so the camera must
 * not look down steeply; but from below this elevation, their shadow would be a mere streak.
 */
export const usualForPlants = 16;
const squatFrom = 0.75;

function raiseForLow(drawn: number, staging: Staging, { aspect }: ProductFeatures): number {
  const isSquat = (staging === 'irregular' || staging === 'upright-squat') && aspect >= squatFrom;
  const isLow = staging === 'long-low' || isSquat;
  if (!isLow) return drawn;
  return Math.max(staging === 'long-low' ? drawn + 6 : drawn, usualForLow - 3 + 0.3 * drawn);
}
