/** Detects lines along a cutout's rim: pixels brighter or darker than both the subject and the backdrop. */
import type { Picture } from './metrics.ts';

/** White, green and black: each reveals rims that the other two hide. */
const backdrops: readonly (readonly [number, number, number])[] = [
  [255, 255, 255],
  [0, 177, 64],
  [0, 0, 0],
];
/** Minimum alpha of a solid pixel. Pixels with an alpha below `CLEAR` are invisible. */
const SOLID = 242;
const CLEAR = 13;
/** A rim pixel is compared with the solid pixels up to this many pixels away, horizontally and vertically. */
const REACH_PX = 4;
/** Difference in CIE L* (0 to 100) that is clearly visible on a plain backdrop. */
const VISIBLE = 8;

export interface Rim {
  /** Number of rim pixels with a solid pixel nearby, times the number of backdrops. */
  readonly pixels: number;
  /** How many of `pixels` are visibly brighter or darker than both the subject and the backdrop. */
  readonly outliers: number;
}

/** Throws if `cutout` has no foreground colors. */
export function measureRim(cutout: Picture): Rim {
  const { alpha: alphas, foreground } = cutout;
  if (foreground === null) throw new Error('a rim without colors cannot be measured');
  let pixels = 0;
  let outliers = 0;
  for (let i = 0; i < alphas.length; i++) {
    const alpha = alphas[i]!;
    if (alpha < CLEAR || alpha >= SOLID) continue;
    const side = findSolidRange({ ...cutout, foreground }, i);
    if (side === null) continue;
    for (const backdrop of backdrops) {
      const behind = toLightness(backdrop[0], backdrop[1], backdrop[2]);
      const mix = (c: number): number =>
        (foreground[i * 3 + c]! * alpha + backdrop[c as 0 | 1 | 2] * (255 - alpha)) / 255;
      const lightness = toLightness(mix(0), mix(1), mix(2));
      pixels++;
      if (
        lightness > Math.max(side.max, behind) + VISIBLE ||
        lightness < Math.min(side.min, behind) - VISIBLE
      )
        outliers++;
    }
  }
  return { pixels, outliers };
}

function findSolidRange(
  { width, height, alpha, foreground }: Picture & { readonly foreground: Uint8Array },
  index: number,
): { readonly min: number; readonly max: number } | null {
  const x = index % width;
  const y = (index - x) / width;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let v = Math.max(0, y - REACH_PX); v <= Math.min(height - 1, y + REACH_PX); v++) {
    for (let u = Math.max(0, x - REACH_PX); u <= Math.min(width - 1, x + REACH_PX); u++) {
      const at = v * width + u;
      if (alpha[at]! < SOLID) continue;
      const lightness = toLightness(foreground[at * 3]!, foreground[at * 3 + 1]!, foreground[at * 3 + 2]!);
      min = Math.min(min, lightness);
      max = Math.max(max, lightness);
    }
  }
  return max < min ? null : { min, max };
}

/** sRGB byte to linear light (IEC 61966-2-1). */
const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

/** CIE 1976 L* of an sRGB color, 0 to 100. */
function toLightness(r: number, g: number, b: number): number {
  const y =
    0.2126 * linear[Math.round(r)]! + 0.7152 * linear[Math.round(g)]! + 0.0722 * linear[Math.round(b)]!;
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : (24389 / 27) * y;
}
