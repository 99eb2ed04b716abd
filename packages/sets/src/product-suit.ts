/** How a product is shown: its shape if it stands on a visible foot, else how it lies, hangs or is worn. */

import { hashSeed } from 'packshot-pixels';
import { MAX_DEPTH, type Staging } from 'packshot-studio';
import { sizeSubject, usualElevation } from './fit-camera.ts';
import { usualLength } from './product/real-lengths.ts';
import { findStance, leastSkin, mostSkin, type Stance } from './product/stance.ts';
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
  /** From a lower camera, its rear feet would float. Default: any will do. */
  readonly leastDeg?: number | undefined;
  /** Whether the photo shows it from too high for a podium or a place; default false. */
  readonly isHigh?: boolean | undefined;
  /** The side that the light comes from: -1 left, 1 right. */
  readonly side: -1 | 1;
  /** Whether it rests on its whole lower outline, because the photo does not show where it stands; default false. */
  readonly lies?: boolean | undefined;
}

/** Suits of standing products are named after their stagings. */
const otherStagings = { lying: 'garment', worn: 'irregular', unclear: 'irregular' } as const;
const stagingOf = (suit: Suit): Staging =>
  suit in otherStagings ? otherStagings[suit as keyof typeof otherStagings] : (suit as Staging);

/** A product that is shown in the given way, whatever its shape. */
export const suitAs = (
  suit: Suit,
  features: ProductFeatures,
  lengthCm: number,
  side: -1 | 1 = -1,
): FittedProduct => ({
  features,
  suit,
  staging: stagingOf(suit),
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
  const leastDeg = leastElevation(stance, features);
  const suit = findSuit(stance, staging, features, leastDeg);
  const suited = suitAs(suit, features, lengthCm, isFromLeft ? -1 : 1);
  if (suit === 'unclear') return { ...suited, lies: stance.kind !== 'stands' };
  if (suit === 'worn') return { ...suited, lies: stance.kind === 'unclear' };
  if (suit === 'lying' || suit === 'hung') return suited;
  const isHigh = (stance.cameraElevationDeg ?? 0) > highestForStands;
  if (stance.kind === 'unclear') return { ...suited, isHigh, lies: true };
  const isTooLow = leastDeg > (suited.elevDeg ?? usualElevation);
  return { ...suited, isHigh, ...(isTooLow && { elevDeg: leastDeg, leastDeg }) };
}

/** In degrees: a table photographed from the highest camera of a set, below a product photographed from here, looks right. */
const highestForTables = 26;

/** From a lower camera, in degrees, the rear feet would seem to be farther back than the tracer puts them. */
function leastElevation({ contacts }: Stance, { aspect }: ProductFeatures): number {
  const rise = Math.max(0, ...contacts.map(({ y }) => y)) * sizeSubject(aspect).height;
  return (Math.atan(rise / MAX_DEPTH) * 180) / Math.PI;
}

function findSuit(
  { kind, cameraElevationDeg = 0 }: Stance,
  staging: Staging,
  features: ProductFeatures,
  leastDeg: number,
): Suit {
  if (kind === 'worn') return 'worn';
  if (kind === 'hangs' || kind === 'cropped' || staging === 'hung') return 'hung';
  if (staging === 'garment' && kind !== 'lies' && isPerson(features)) return 'worn';
  if (staging === 'garment') return 'lying';
  // An open vessel stands, although the ground below a round foot is hard to find.
  const isVessel = features.rimElevationDeg !== undefined;
  if ((kind === 'unclear' && !isVessel) || cameraElevationDeg > highestForTables) return 'unclear';
  // Furniture that was photographed from high above is not laid down.
  if (kind === 'lies') return staging === 'large' ? 'unclear' : 'lying';
  return leastDeg > highestForStands ? 'unclear' : staging;
}

/** Whether clothes are worn by somebody whom the photo shows whole: skin, and the proportions of a person. */
const isPerson = ({ skin, aspect }: ProductFeatures): boolean =>
  skin >= leastSkin && skin <= mostSkin && aspect < 0.55;
