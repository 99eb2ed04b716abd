/**
 * Sizes products beside each other in a catalog: what is larger in a shop is larger in its picture, but far less so,
 * and what is bulky is made smaller than what is slender.
 */

/** How a product fills its place in a look. */
export interface ProductSize {
  /** Aspect ratio of the product's bounding box, width to height. */
  readonly aspect: number;
  /** Share of the bounding box that the product covers, 0 to 1. */
  readonly fill: number;
  /** Length of its longer side in reality, in centimeters. */
  readonly lengthCm: number;
}

/** Products from this length on, such as a chair, take all of their place. */
const fullLengthCm = 80;
/**
 * Power law of length, at which twice the length looks 1.16 times as long: 32 times, from a ring to a chair, become 2.1.
 * People picture and prefer things at a size that grows with the logarithm of their real one (Konkle and Oliva 2011,
 * "Canonical visual size for real-world objects", J. Exp. Psychol. Hum. Percept. Perform. 37); from 2.5 to
 * 80 cm, this power stays within 0.05 of such a logarithm.
 */
const compression = 0.22;
/** Share of its place that a product may cover before it is made smaller. */
const calmShare = 0.42;
/** Between 0 (all products reach the margin) and 0.5 (all cover the same area). */
const evening = 0.16;
/** The smallest product is still seen in detail. */
const minShare = 0.36;

/**
 * The product's size as a share of the largest that fits, 0.36 to 1. `placeAspect` is the width of the place to its
 * height.
 */
export function opticalShare({ aspect, fill, lengthCm }: ProductSize, placeAspect: number): number {
  const covered = fill * Math.min(aspect / placeAspect, placeAspect / aspect);
  const byLength = Math.min(1, (lengthCm / fullLengthCm) ** compression);
  return Math.max(minShare, byLength * Math.min(1, (calmShare / covered) ** evening));
}
