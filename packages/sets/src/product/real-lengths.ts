/** Usual lengths of products by their staging: the longer side that a photo shows, in centimeters. */
import type { Staging } from 'packshot-studio';

/**
 * Lengths in centimeters for products of which only the outline is known: 25, the middle of a shop's range, unless the
 * staging suggests another length.
 */
const lengthsOfStagings: Readonly<Record<Staging, number>> = {
  'small-precious': 7,
  'upright-squat': 18,
  'upright-tall': 25,
  'long-low': 25,
  panel: 25,
  irregular: 25,
  garment: 70,
  large: 110,
  hung: 40,
};

/** Length of a product's longer side, in centimeters. `staging` is undefined if nothing is known about the product. */
export const usualLength = (staging: Staging | undefined): number =>
  staging === undefined ? lengthsOfStagings.irregular : lengthsOfStagings[staging];
