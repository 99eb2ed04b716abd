/** How a product can be shown, judging by how it was photographed. */
import type { ProductPose } from '../../designs/subject.ts';
import type { ProductFeatures } from '../product-features.ts';

/** A `lying` product would fall over if it stood. */
export type Pose = ProductPose | 'standing';

/** `fallsOver`: whether such products cannot stand, as a pen. */
export function findPose(features: ProductFeatures, fallsOver = false): Pose {
  if (isFootCropped(features) || hangs(features)) return 'hung';
  const isOnEnd = fallsOver && features.aspect < onEndBelow;
  return liesAtAngle(features) || isScattered(features) || isOnEnd ? 'lying' : 'standing';
}

/** Undefined for a product that stands. */
export function describePose(features: ProductFeatures, fallsOver?: boolean): ProductPose | undefined {
  const pose = findPose(features, fallsOver);
  if (pose !== 'standing') return pose;
  return lies(features) ? 'lying' : undefined;
}

/** A product that cannot stand was photographed from above if its width divided by its height is below this. */
const onEndBelow = 0.6;

/**
 * Whether the photo shows the product lying down, from above, so that no foot is visible: a smooth body without
 * legs that touches the lower edge of its box only at a corner, such as a cushion or a folded towel, or a body that lies
 * at an angle.
 */
export function lies(f: ProductFeatures): boolean {
  return liesAtAngle(f) || (!showsFoot(f) && f.footWidth < 0.15 && f.solidity > 0.9 && f.texture < 0.02);
}

/**
 * Whether the photo shows a compact product from above, lying at an angle, such as a camera: if it stood, it would balance
 * on a corner. Of 79 cutouts, a camera (0.78) and a cable (0.47), which is not compact, have an uprightness below 0.8; all
 * others have at least 0.85.
 */
function liesAtAngle(f: ProductFeatures): boolean {
  return !showsFoot(f) && f.uprightness < 0.8 && f.footWidth < 0.3 && f.solidity > 0.9;
}

/**
 * Whether the photo shows several things from above: if they stood on one ground, their feet would not be so far apart.
 * The parts of a thin product, such as the blossoms of an orchid, only seem to be separate.
 */
const isScattered = ({ scatter, thinness }: ProductFeatures): boolean => scatter > 0.5 && thinness < 0.3;

/** Cropped legs cover less of the photo's edge than this fraction of the product's width, and stand on the ground. */
const widelyCropped = 0.3;

const isFootCropped = ({ cropped }: ProductFeatures): boolean => (cropped.bottom ?? 0) >= widelyCropped;

/**
 * Maximum width of straps, chains or a cord, as fractions of the product's width: at the photo's upper edge, and on
 * average in the upper eighth of the product.
 */
const straps = { atEdge: 0.25, nearEdge: 0.4 } as const;
/** Straps keep their width. A leaf or a handle, which the photo crops too, gets wider below the edge by more than this. */
const widening = { factor: 1.3, share: 0.02 } as const;
/** Something symmetrical on a cord, such as a lamp, may end in a base as wide as a foot. */
const cord = { nearEdge: 0.1, symmetry: 0.85 } as const;

/** Whether only straps or a cord reach the photo's upper edge, and the product has nothing to stand on. */
function hangs(f: ProductFeatures): boolean {
  const { top, bottom } = f.cropped;
  const nearEdge = f.profile[0]!;
  if (top === undefined || bottom !== undefined) return false;
  if (top > straps.atEdge || nearEdge > straps.nearEdge) return false;
  if (nearEdge > widening.factor * top + widening.share) return false;
  const isOnCord = nearEdge < cord.nearEdge && f.symmetry > cord.symmetry;
  const hasFoot = f.viewElevationDeg !== undefined || f.legsElevationDeg !== undefined || f.footWidth >= 0.5;
  return isOnCord || !hasFoot;
}

const showsFoot = (f: ProductFeatures): boolean =>
  f.viewElevationDeg !== undefined || f.legsElevationDeg !== undefined || f.legs > 0;
