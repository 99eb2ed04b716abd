/**
 * Sizes products relative to each other in a catalog: larger products are shown larger, but differences are
 * compressed, and bulky products are shown smaller than slender ones.
 */

/** Shape and real size of a product, which determine how large it is shown in a look (a saved scene or recipe). */
export interface ProductSize {
  /** Aspect ratio of the product's bounding box, width / height. */
  readonly aspect: number;
  /** Fraction of the bounding box that the product covers, 0 to 1. */
  readonly fill: number;
  /** Real length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
}

/** Products of at least this length, such as a chair, are shown as large as possible. */
const fullLengthCm = 80;
/**
 * Exponent of the power law of length: a product twice as long is shown 1.16 times as long, and the factor of
 * 32 between a ring and a chair becomes 2.1. The size at which people draw objects and prefer to see them
 * grows with the logarithm of the real size (Konkle and Oliva 2011, "Canonical visual size for real-world
 * objects", J. Exp. Psychol. Hum. Percept. Perform. 37); from 2.5 to 80 cm, this power law stays within 0.05
 * of such a logarithm.
 */
const compression = 0.22;
/**
 * A product is made smaller if, at the largest size that fits, it covers more than this fraction of its place (the area
 * of the picture inside the margins).
 */
const calmShare = 0.42;
/**
 * Exponent by which products that cover more than `calmShare` are made smaller. With 0, all of them would reach the
 * margin; with 0.5, all would cover the same area.
 */
const evening = 0.16;
/** Minimum size, as a fraction of the largest that fits: details must remain visible. */
const minShare = 0.36;

/**
 * Returns the product's size as a fraction of the largest size that fits, 0.36 to 1. `placeAspect`: width / height of
 * its place in the picture.
 */
export function opticalShare({ aspect, fill, lengthCm }: ProductSize, placeAspect: number): number {
  const covered = fill * Math.min(aspect / placeAspect, placeAspect / aspect);
  const byLength = Math.min(1, (lengthCm / fullLengthCm) ** compression);
  return Math.max(minShare, byLength * Math.min(1, (calmShare / covered) ** evening));
}
