/** Sizes products so that they look equally large beside each other in a catalog. */

/** How a product fills its place in a look. */
export interface ProductSize {
  /** Aspect ratio of the product's bounding box, width to height. */
  readonly aspect: number;
  /** Share of the bounding box that the product covers, 0 to 1. */
  readonly fill: number;
  /** Such as `small-precious` or `large`; undefined if unknown. */
  readonly staging: string | undefined;
}

/** Relative size by staging: a ring does not fill the picture as a chair does. */
const shareOfStaging: Readonly<Record<string, number>> = { 'small-precious': 0.74, 'upright-squat': 0.94 };
/** Share of its place that a product may cover before it is made smaller. */
const calmShare = 0.42;
/** Between 0 (all products reach the margin) and 0.5 (all cover the same area). */
const evening = 0.3;

export const shareOfSize = (staging: string | undefined): number => shareOfStaging[staging ?? ''] ?? 1;

/**
 * The product's size as a share of the largest that fits, 0.4 to 1. A full square that touches all four margins
 * looks twice as large as a bottle that touches two, so products that cover much of their place are made smaller.
 * `placeAspect` is the width of the place to its height.
 */
export function opticalShare({ aspect, fill, staging }: ProductSize, placeAspect: number): number {
  const covered = fill * Math.min(aspect / placeAspect, placeAspect / aspect);
  return Math.max(0.4, shareOfSize(staging) * Math.min(1, (calmShare / covered) ** evening));
}
