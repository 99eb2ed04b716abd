/** Matches a place's exposure and white balance to the product's photo, so that the product need not be changed. */
import { clamp, luminanceOf, oklabFromLinear, type Rgb } from 'packshot-pixels';
import type { ScenePlan } from 'packshot-studio';
import { hueDistance, type Oklch, oklchFromOklab } from './oklch.ts';
import type { ProductFeatures } from './product-features.ts';

/** Luminance of a product's white parts in a well-exposed photo, in linear light from 0 to 1. */
const USUAL_WHITE = 0.72;
/**
 * Fraction of the photo's exposure difference that the place adopts, and limits of the change, in stops. It is only a
 * fraction, because a gray product looks like an underexposed white one. The place never gets brighter, because white
 * products would vanish in front of it.
 */
const EXPOSURE_SHARE = 0.6;
const stopLimits = [-0.35, 0] as const;
/** Fraction of the photo's color cast that the place adopts, and limits of the gain per channel. */
const BALANCE_SHARE = 0.6;
const gainLimits = [0.88, 1.12] as const;

/**
 * The palest parts show the product's own color rather than white if they and the whole product have at least this
 * OKLCH chroma, and hues less than `ownHue` degrees apart. When the fabric of a blue armchair was taken for white, its
 * room became blue and dark.
 */
const coloredFrom = 0.03;
const ownHue = 30;

/** Factors on a place's light: exposure, and white balance per channel. */
type Tone = Pick<ScenePlan['tone'], 'exposure' | 'balance'>;

/**
 * Returns factors on a place's light for a product whose white parts have the color `white` (linear light) in
 * the photo. Without white parts, returns `usual`.
 */
export function fitTone(
  { white, meanColor }: Pick<ProductFeatures, 'white' | 'meanColor'>,
  usual: Tone,
): Tone {
  if (white === undefined || isOwnColor(white, meanColor)) return usual;
  const luminance = luminanceOf(white);
  const stops = clamp(EXPOSURE_SHARE * Math.log2(luminance / USUAL_WHITE), ...stopLimits);
  const gain = (c: number): number =>
    round((usual.balance?.[c] ?? 1) * clamp((white[c]! / luminance) ** BALANCE_SHARE, ...gainLimits));
  return { exposure: round(usual.exposure * 2 ** stops), balance: [gain(0), gain(1), gain(2)] };
}

function isOwnColor(white: Rgb, product: Oklch): boolean {
  const pale = oklchFromOklab(oklabFromLinear(white));
  return Math.min(pale.c, product.c) >= coloredFrom && hueDistance(pale.h, product.h) < ownHue;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
