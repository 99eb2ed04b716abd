/** Usual lengths of products by their staging: the longer side that a photo shows, in centimeters. */
import type { Staging } from 'packshot-studio';

const lengths: Partial<Record<Staging, number>> = {
  'small-precious': 7,
  'upright-squat': 18,
  garment: 70,
  large: 110,
  hung: 40,
};

/**
 * Length of a product's longer side, in centimeters: 25, the middle of a shop's range, unless the staging suggests
 * another one. `staging` is undefined if nothing is known about the product.
 */
export const usualLength = (staging?: Staging): number => (staging && lengths[staging]) ?? 25;
