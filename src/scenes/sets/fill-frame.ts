/**
 * How much of a picture a product fills: as much as a catalog photographer would choose for a product of this
 * shape and size.
 */
import type { Variant } from '../../recipes/catalogue.ts';
import type { Camera, ScenePlan, Staging } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';

export interface FillWish {
  readonly staging: Staging;
  readonly ratio: Variant;
  /** In scene units. */
  readonly subject: ScenePlan['subject'];
  /** Fraction of its bounding box that the product covers, 0 to 1. */
  readonly fill: number;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
  /** Whether a stand or props must be visible around the product. */
  readonly sharesFrame: boolean;
}

/** Fractions of the frame's height and width for a product with the same aspect ratio as the frame. */
const base = { height: 0.6, width: 0.66, largeWidth: 0.72 };
/**
 * Change of the fractions per factor of 2 between the aspect ratios of frame and product. A product that is slender for
 * its frame leaves width to spare, so it gets more of the height; a product that is wide for its frame leaves height to
 * spare, so it gets more of the width.
 */
const perDoubling = 0.08;
const limits = { height: [0.5, 0.74], width: [0.6, 0.8] } as const;
/** A sofa must nearly span a tall frame, or it looks as small as a doll's. */
const largeInTall = 0.9;
/** A wide frame leaves so much empty space beside slender products that these get more of the frame's height. */
const wideFrom = 1.5;
const slenderBelow = 0.8;
const forSlender = 0.05;
/** A tall frame keeps its top fifth free for text. */
const tallBelow = 0.6;
const maxInTall = 0.58;
/** Limits with a stand or props, which need room below and beside the product. */
const maxShared = { height: 0.63, tallHeight: 0.5, wideHeight: 0.55, width: 0.6 };
/** Plants and lamps, whose boxes are mostly empty, get a larger box, because they would look small. */
const airyBelow = 0.4;
const forAiry = 0.09;

export const isAiry = ({ fill }: { readonly fill: number }): boolean => fill < airyBelow;

/**
 * Whether a product is bushy, such as a potted plant. Its shape is recognizable only from the front: in light from the
 * side, its shadow on the ground would be a wedge.
 */
export const isBushy = ({ aspect, fill, solidity, thinness }: Outline): boolean =>
  !isAiry({ fill }) && aspect < bushy.aspect && solidity < bushy.solidity && thinness > bushy.thinness;
export type Outline = Readonly<Record<'aspect' | 'fill' | 'solidity' | 'thinness', number>>;
/**
 * Limits for bushy products. A pot of tulips has an aspect ratio of 0.54, a solidity of 0.77 and a thinness of 0.065.
 * Bottles and mugs are too solid.
 */
const bushy = { aspect: 0.85, solidity: 0.82, thinness: 0.05 } as const;

/**
 * Products of at least this length get the full size. Shorter products, down to a ring, are shown smaller;
 * otherwise they would look giant.
 */
const fullLengthCm = 25;
const lengthExponent = 0.1;
const smallest = 0.8;

/** Maximum fractions of the frame's width and height for the product's box; the stricter of the two applies. */
export function fillFrame(wish: FillWish): Pick<Camera, 'fillH' | 'fillW'> {
  const { staging, ratio, subject, fill, lengthCm, sharesFrame } = wish;
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const aspect = across / down;
  const isTall = aspect < tallBelow;
  /**
   * Binary logarithm of the frame's aspect ratio divided by the product's; positive if the frame's is wider.
   */
  const spare = Math.log2((aspect * subject.height) / subject.width);
  const real = clamp((lengthCm / fullLengthCm) ** lengthExponent, smallest, 1);
  const airy = isAiry({ fill }) ? forAiry : 0;
  const slender = aspect > wideFrom && subject.width / subject.height < slenderBelow ? forSlender : 0;
  const [lowest, highest] = limits.height;
  const height = real * clamp(base.height + perDoubling * spare + airy + slender, lowest, highest + slender);
  const widthBase = staging === 'large' ? base.largeWidth : base.width;
  const [narrowest, widest] = limits.width;
  const most = staging === 'large' && isTall ? largeInTall : widest;
  const width = real * clamp(widthBase - perDoubling * Math.min(0, spare), narrowest, most);
  const wide = aspect > wideFrom && slender === 0 ? maxShared.wideHeight : maxShared.height + slender;
  const heightShared = isTall ? maxShared.tallHeight : wide;
  const share = sharesFrame
    ? { height: heightShared, width: maxShared.width }
    : { height: isTall ? maxInTall : 1, width: 1 };
  return { fillH: Math.min(height, share.height), fillW: Math.min(width, share.width) };
}
