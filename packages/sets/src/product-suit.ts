/** How a product is shown: its shape if it stands on a visible foot, else how it lies, hangs or is worn. */

import { hashSeed } from 'packshot-pixels';
import type { Staging } from 'packshot-studio';
import { usualLength } from './product/real-lengths.ts';
import { findStance, type Stance } from './product/stance.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ProductKind } from './product-kind.ts';
import { highestForStands, type Suit } from './set-file.ts';

export interface FittedProduct {
  readonly features: ProductFeatures;
  readonly suit: Suit;
  readonly staging: Staging;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
  /** Height of the photo's camera in degrees; undefined if the photo does not reveal it. */
  readonly elevDeg: number | undefined;
  /** The side that the light comes from: -1 left, 1 right. */
  readonly side: -1 | 1;
  /** Whether no ground fits it, so that it rests on its whole lower outline; default false. */
  readonly lies?: boolean | undefined;
}

const stagingOf: Readonly<Record<Suit, Staging>> = {
  'upright-tall': 'upright-tall',
  'upright-squat': 'upright-squat',
  'long-low': 'long-low',
  panel: 'panel',
  'small-precious': 'small-precious',
  irregular: 'irregular',
  large: 'large',
  lying: 'garment',
  hung: 'hung',
  worn: 'irregular',
  unclear: 'irregular',
};

/** A product that is shown in the given way, whatever its shape. */
export const suitAs = (
  suit: Suit,
  features: ProductFeatures,
  lengthCm: number,
  side: -1 | 1 = -1,
): FittedProduct => ({
  features,
  suit,
  staging: stagingOf[suit],
  lengthCm,
  elevDeg: features.viewElevationDeg ?? features.legsElevationDeg,
  side,
});

/** `seed`: decides the light's side if the photo does not. */
export function suitProduct(
  features: ProductFeatures,
  {
    staging,
    lengthCm = usualLength(staging),
    fallsOver,
  }: Pick<ProductKind, 'staging' | 'lengthCm' | 'fallsOver'>,
  seed: number,
): FittedProduct {
  const { lightFrom } = features;
  const isFromLeft = lightFrom === 'left' || (lightFrom === 'unclear' && hashSeed(seed, 'side') % 10 < 7);
  const stance = findStance(features, { fallsOver });
  const suited = suitAs(findSuit(stance, staging), features, lengthCm, isFromLeft ? -1 : 1);
  return stance.kind === 'unclear' ? { ...suited, lies: true } : suited;
}

function findSuit({ kind, cameraElevationDeg = 0 }: Stance, staging: Staging): Suit {
  if (kind === 'worn') return 'worn';
  if (kind === 'hangs' || kind === 'cropped' || staging === 'hung') return 'hung';
  // Furniture is looked down on, and its floor is not a podium.
  if (staging === 'large') return 'large';
  if (kind === 'lies' || staging === 'garment') return 'lying';
  return kind === 'unclear' || cameraElevationDeg > highestForStands ? 'unclear' : staging;
}
