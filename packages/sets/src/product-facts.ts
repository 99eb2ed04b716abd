/** What is known of the product in a photo besides its cutout: what it is, and how it can be shown. */

/**
 * How the photo shows a product that does not stand. `lying`: on the ground, from above. `hung`: from straps or a cord, or
 * the photo crops its foot, so it has no ground.
 */
export type ProductPose = 'lying' | 'hung';

/** The product's likely category, and how to stage it. */
export interface ProductFacts {
  /** A top-level category of Google's product taxonomy, or `Unknown`. */
  readonly kind: string;
  /** Such as `upright-tall` or `garment`. */
  readonly staging: string;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm?: number;
  /** Undefined for a product that stands. Facts from earlier versions lack this field. */
  readonly pose?: ProductPose;
  /** 0 to 1; 1 only if the uploader named the category. */
  readonly confidence: number;
  /** The reason for the category, for display. */
  readonly because: string;
}
