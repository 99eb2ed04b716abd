/** Finds a product's white parts in its photo, which indicate the photo's exposure and white balance. */
import { linearLevels, oklabFromLinear, type Rgb, type RgbaImage } from 'packshot-pixels';

/** Limits of OKLab chroma and lightness for pixels that may be white under colored or dim light. */
const MAX_CHROMA = 0.05;
const MIN_LIGHTNESS = 0.64;
/** Minimum fraction of the product that must be white; a smaller area may be a label or a highlight. */
const MIN_SHARE = 0.08;
/**
 * Only this fraction of the white pixels is averaged: the brightest. White pixels in shade would make the light seem
 * darker than it is.
 */
const BRIGHTER_SHARE = 0.4;
/** Minimum alpha of sampled pixels. Pixels at the rim still contain colors of the photo's background. */
const MIN_ALPHA = 250;
const SAMPLES = 40_000;

/**
 * Mean color of the brightest near-neutral parts, in linear light, 0 to 1. Undefined if these parts are too small: the
 * color of the light then cannot be told apart from the color of the product.
 */
export function measureWhite({ width, height, data }: RgbaImage): Rgb | undefined {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)));
  const found: { readonly color: Rgb; readonly lightness: number }[] = [];
  let seen = 0;
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const at = (y * width + x) * 4;
      if (data[at + 3]! < MIN_ALPHA) continue;
      seen++;
      const color: Rgb = [
        linearLevels[data[at]!]!,
        linearLevels[data[at + 1]!]!,
        linearLevels[data[at + 2]!]!,
      ];
      const [lightness, a, b] = oklabFromLinear(color);
      if (lightness >= MIN_LIGHTNESS && Math.hypot(a, b) <= MAX_CHROMA) found.push({ color, lightness });
    }
  }
  if (found.length === 0 || found.length < MIN_SHARE * seen) return undefined;
  const bright = found
    .toSorted((one, other) => other.lightness - one.lightness)
    .slice(0, Math.ceil(BRIGHTER_SHARE * found.length));
  const mean = (c: number): number => bright.reduce((sum, { color }) => sum + color[c]!, 0) / bright.length;
  return [mean(0), mean(1), mean(2)];
}
