/** Explainable rules that infer a product's kind and staging from its silhouette. The first match wins. */

import type { Staging } from 'packshot-studio';
import { hueDistance } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { ProductKindName } from './product-kinds.ts';

export interface SilhouetteRule {
  /** Completes the sentence "its outline looks like …". */
  readonly name: string;
  readonly kind: ProductKindName;
  readonly staging: Staging;
  /** 0 to 1, never above 0.6, because many products share a silhouette. */
  readonly confidence: number;
  /** Usual length of the longer side, in centimeters, if the outline is more specific than the staging. */
  readonly lengthCm?: number;
  holds(features: ProductFeatures): boolean;
}

const rule = (
  name: string,
  kind: ProductKindName,
  staging: Staging,
  confidence: number,
  holds: SilhouetteRule['holds'],
): SilhouetteRule => ({ name, kind, staging, confidence, holds });

const band = ({ profile }: ProductFeatures, index: number): number => profile[index] ?? 0;
const widest = ({ profile }: ProductFeatures): number => Math.max(...profile);
const isGreen = ({ mainColor }: ProductFeatures): boolean => hueDistance(mainColor.h, 130) < 35;

/**
 * The rules' stagings were tuned on 53 public shop pictures, of which 51 come out right, and their kinds on 50 cutouts
 * of 22 products. Expect lower accuracy on other pictures. A word for the product, in the prompt or in the name of the
 * file, overrides every rule.
 */
export const silhouetteRules: readonly SilhouetteRule[] = [
  {
    ...rule('a small smooth object', 'Unknown', 'long-low', 0.5, isPebble),
    lengthCm: 13,
  },
  rule('a flat rectangle', 'Unknown', 'panel', 0.5, (f) => f.fill >= 0.95 && f.symmetry >= 0.97),
  rule(
    'a thing on thin legs',
    'Furniture',
    'large',
    0.55,
    (f) =>
      f.solidity < 0.75 && band(f, 7) < 0.15 && band(f, 6) < 0.2 && Math.max(band(f, 3), band(f, 4)) > 0.6,
  ),
  rule('a small table', 'Furniture', 'large', 0.45, isTopOnLegs),
  rule(
    'a chair or a table',
    'Furniture',
    'large',
    0.45,
    (f) =>
      f.legs >= 3 && f.legs <= 5 && f.thinness < 0.5 && f.holes < 0.3 && f.aspect < 2.5 && f.solidity < 0.8,
  ),
  rule(
    'a sofa',
    'Furniture',
    'large',
    0.55,
    (f) =>
      f.aspect >= 1.6 &&
      f.aspect < 3.6 &&
      f.symmetry >= 0.8 &&
      f.fill > 0.6 &&
      f.legs >= 2 &&
      f.footWidth > 0.7 &&
      Math.min(band(f, 2), band(f, 3), band(f, 4), band(f, 5)) > 0.9 &&
      band(f, 7) < 0.25,
  ),
  rule(
    'a bicycle',
    'Sporting Goods',
    'large',
    0.5,
    (f) =>
      f.aspect > 1.35 &&
      f.aspect < 1.95 &&
      f.thinness > 0.6 &&
      f.solidity < 0.6 &&
      f.holes > 0.12 &&
      f.footWidth > 0.65 &&
      f.legs >= 2,
  ),
  rule('a cable', 'Electronics', 'irregular', 0.4, (f) => f.holes > 0.3 && f.thinness > 0.45 && f.fill < 0.3),
  rule(
    'headphones',
    'Electronics',
    'irregular',
    0.5,
    (f) =>
      f.solidity < 0.6 && f.symmetry > 0.6 && band(f, 3) < 0.3 && band(f, 5) > 0.45 && f.colorfulness < 0.3,
  ),
  rule(
    'a plant',
    'Home & Garden',
    'upright-tall',
    0.55,
    (f) => isGreen(f) && f.colorfulness > 0.6 && f.thinness > 0.08 && f.solidity < 0.75,
  ),
  rule(
    'something made of wire',
    'Home & Garden',
    'irregular',
    0.3,
    (f) => f.thinness > 0.6 && f.seeThrough > 0.25,
  ),
  rule(
    'an instrument with a long neck',
    'Arts & Entertainment',
    'upright-tall',
    0.45,
    (f) => f.aspect < 0.5 && Math.max(band(f, 1), band(f, 2), band(f, 3)) < 0.28 && band(f, 6) > 0.7,
  ),
  rule(
    'a lamp',
    'Home & Garden',
    'upright-tall',
    0.45,
    (f) => f.symmetry > 0.9 && f.aspect < 0.85 && (isShadeOnStem(f) || isShadeOnBody(f)),
  ),
  rule(
    'eyeglasses',
    'Apparel & Accessories',
    'small-precious',
    0.4,
    (f) => f.aspect >= 1.7 && f.symmetry >= 0.85 && band(f, 7) < 0.4,
  ),
  rule(
    'a shoe',
    'Apparel & Accessories',
    'long-low',
    0.5,
    (f) =>
      f.aspect > 1.25 &&
      f.aspect < 3 &&
      f.symmetry < 0.8 &&
      f.fill < 0.66 &&
      band(f, 0) < 0.3 &&
      band(f, 1) < 0.35 &&
      band(f, 6) > 0.7,
  ),
  rule(
    'a garment laid flat',
    'Apparel & Accessories',
    'garment',
    0.45,
    (f) =>
      f.aspect >= 0.6 &&
      f.aspect <= 1.2 &&
      f.fill >= 0.55 &&
      f.fill <= 0.82 &&
      f.symmetry >= 0.75 &&
      Math.max(band(f, 1), band(f, 2)) > 0.85 &&
      band(f, 5) < 0.75 &&
      band(f, 7) > 0.3 &&
      f.texture < 0.04,
  ),
  rule(
    'a perfume bottle',
    'Health & Beauty',
    'upright-tall',
    0.4,
    (f) => f.symmetry >= 0.9 && f.aspect < 0.75 && f.fill > 0.6 && hasShoulder(f) && f.aspect > 0.3,
  ),
  rule(
    'a bottle or a can',
    'Food, Beverages & Tobacco',
    'upright-tall',
    0.3,
    (f) => f.symmetry >= 0.9 && f.aspect < 0.65 && f.fill > 0.6,
  ),
  rule(
    'a cup or a bowl',
    'Home & Garden',
    'upright-squat',
    0.4,
    (f) =>
      f.aspect > 0.7 &&
      f.aspect < 1.25 &&
      f.fill > 0.68 &&
      f.solidity > 0.87 &&
      f.texture < 0.03 &&
      band(f, 0) > 0.55,
  ),
];

/** A smooth oval without a foot, such as a computer mouse or a bar of soap. */
function isPebble(f: ProductFeatures): boolean {
  const isOval =
    f.solidity > 0.97 && f.fill > 0.68 && f.fill < 0.83 && Math.max(band(f, 0), band(f, 7)) < 0.6;
  return isOval && f.aspect > 1.3 && f.aspect < 2.2 && f.legs === 0 && f.viewElevationDeg === undefined;
}

/**
 * A wide top, with or without things on it, above thin legs, of which the rear ones are visible behind the front ones.
 */
function isTopOnLegs(f: ProductFeatures): boolean {
  const legs = Math.max(band(f, 4), band(f, 5), band(f, 6));
  const top = Math.max(band(f, 0), band(f, 1), band(f, 2), band(f, 3));
  const isOnLegs = f.legsElevationDeg !== undefined && legs < 0.4 && band(f, 7) < 0.25;
  return isOnLegs && top > 1.8 * legs && f.thinness > 0.3 && f.solidity < 0.65;
}

function isShadeOnStem(f: ProductFeatures): boolean {
  return widest(f) === band(f, 2) && Math.max(band(f, 4), band(f, 5)) < 0.4;
}

function isShadeOnBody(f: ProductFeatures): boolean {
  return band(f, 0) > 0.85 && band(f, 3) > 0.85 && band(f, 5) < 0.7;
}

/** A narrow cap of constant width above a full body: cosmetics, unlike drinks, whose bottles taper. */
function hasShoulder(f: ProductFeatures): boolean {
  const shoulder = f.profile.findIndex((share) => share > 0.85);
  if (shoulder < 2) return false;
  const cap = f.profile.slice(0, shoulder);
  return Math.max(...cap) < 0.7 && f.profile.slice(shoulder, 7).every((share) => share > 0.8);
}

/** Fallback if no rule matches: determines the staging by proportions alone. */
export function stageBySilhouette(f: ProductFeatures): Staging {
  if (f.fill >= 0.95 && f.symmetry >= 0.97) return 'panel';
  if (f.aspect >= 1.5) return 'long-low';
  if (f.aspect < 0.65 && f.symmetry >= 0.85 && f.footWidth > 0.2) return 'upright-tall';
  if (f.footWidth >= 0.5 && f.fill > 0.55) return 'upright-squat';
  return 'irregular';
}
