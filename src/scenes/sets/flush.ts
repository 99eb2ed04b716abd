/**
 * Framing of a product that the photo crops: it touches the same edge of the scene's frame, so that its cropped side
 * never ends inside the picture.
 */
import { type Camera, type Frame, measureFrame, type ScenePlan } from '../../studio/scene-plan.ts';
import type { ProductFeatures } from '../product-features.ts';

export type Cropped = Pick<ProductFeatures, 'cropped'>;

/** Whether the photo crops the product on a side or above. */
export const isFlush = ({ cropped }: Cropped): boolean =>
  [cropped.left, cropped.right, cropped.top].some((share) => share !== undefined);

/**
 * Fraction of the frame's width by which a product is planned beyond the side that it touches. The renderer keeps the
 * product in the frame, so it is drawn right at the edge, even if its cutout is slightly narrower than planned.
 */
const overshoot = 0.025;

/** Distance by which a product is shifted to touch the left or right edge of the frame; undefined if it touches neither. */
export function shiftToSide(
  { width }: ScenePlan['subject'],
  { height, aspect }: Frame,
  { cropped }: Cropped,
): number | undefined {
  if ((cropped.left === undefined) === (cropped.right === undefined)) return undefined;
  const free = (height * aspect - width) / 2 + overshoot * height * aspect;
  return cropped.left === undefined ? free : -free;
}

/** The edge of the frame that a product in a flat lay touches. */
export function flushEdge({ cropped }: Cropped): Pick<Camera, 'flushWith'> {
  if (cropped.bottom !== undefined) return { flushWith: 'bottom' };
  return cropped.top === undefined ? {} : { flushWith: 'top' };
}

/** Maximum fractions of the frame for a product that touches its upper edge, or both sides of it. */
const fills = { upward: { fillH: 0.8, fillW: 0.8 }, across: { fillH: 0.8, fillW: 1 } } as const;
/** A product so wide that its foot would be above this height, as a fraction of the frame's, does not touch the upper edge. */
const highestFoot = 0.42;

type Framed = Pick<ScenePlan, 'ratio' | 'subject'>;

/**
 * Moves the camera so close that a product cropped on both sides spans the frame; unchanged for other products, and if
 * the frame is too wide.
 */
export function spanFrame(camera: Camera, framed: Framed, { cropped }: Cropped): Camera {
  if (cropped.left === undefined || cropped.right === undefined) return camera;
  const across = { ...camera, ...fills.across };
  const { height, aspect } = measureFrame({ ...framed, camera: across });
  return height * aspect > framed.subject.width * 1.001 ? camera : across;
}

/**
 * Moves the camera so that a standing product that is cropped above reaches the frame's upper edge, and one that is
 * cropped on both sides spans the frame; unchanged for other products, and if the frame is too wide or too tall.
 */
export function reachEdges(camera: Camera, framed: Framed, product: Cropped): Camera {
  const { top, bottom, left, right } = product.cropped;
  if (top === undefined || bottom !== undefined) return spanFrame(camera, framed, product);
  const isAcross = left !== undefined && right !== undefined;
  const upward = { ...camera, ...(isAcross ? fills.across : fills.upward) };
  const share = framed.subject.height / measureFrame({ ...framed, camera: upward }).height;
  const baseline = 1 - share;
  return baseline <= highestFoot
    ? { ...upward, baseline, flushWith: 'top' }
    : spanFrame(camera, framed, product);
}

/** Maximum fractions of the frame for a product that hangs or whose foot is cropped. */
export const hungFill = { fillW: 0.76, fillH: 0.8 } as const;
