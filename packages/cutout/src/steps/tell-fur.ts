/**
 * Whether a soft outline shows strands.
 *
 * An outline is also soft where it is out of focus, in a shadow, or where the engine is unsure. There, the photo
 * changes across the outline but hardly along it, or shows a few strong edges. Fur changes nearly everywhere along the
 * outline. So the typical change along the outline is compared with the contrast of the photo's details as a whole,
 * which a few strong edges dominate. The ratio does not depend on the photo's contrast.
 */
import { averageWindows, type Box, cutWindow, type Matte, type RgbImage } from 'packshot-pixels';

/** A pixel counts if its weight in the matting is at least this, and its alpha is between the two limits below. */
const LEAST_WEIGHT = 0.3;
const MIXED_FROM = 26;
const MIXED_TO = 230;
/**
 * Half the widths of averaging windows. The matte is averaged over `OUTLINE_PX` to find the direction of the outline.
 * The photo's details are the differences between its averages over `FINE_PX` and over `BROAD_PX`. `OUTLINE_PX` and
 * `BROAD_PX` are in pixels of a photo whose longer side is 1024 px.
 */
const OUTLINE_PX = 6;
const FINE_PX = 1;
const BROAD_PX = 3;
/** Distance to either side at which the averaged matte is compared, and the least difference that gives a direction. */
const SLOPE_PX = 2;
const LEAST_SLOPE = 4;
/**
 * Minimum ratio of the typical change along the outline to the contrast of the details. It is .55 to .73 for three
 * plush bears, a cat and a lemur, and .01 to .25 for seven real photos of products without fur whose outlines are soft:
 * cameras, a computer, monitors, a cable, a statue and an aloe.
 */
const LEAST_RATIO = 0.4;

export interface SoftEdges {
  /** Weight of the matting for each pixel of `area`, 0 to 1. */
  readonly weights: Float32Array;
  readonly area: Box;
  /** Longer side of the matte as a multiple of 1024 px. */
  readonly scale: number;
}

/** `photo` has the matte's size. */
export function isFur(matte: Matte, photo: RgbImage, { weights, area, scale }: SoftEdges): boolean {
  const { width } = area;
  const { data: alphas } = cutWindow(matte, area);
  const light = readLight(cutWindow(photo, area));
  const outline = averageWindows(area, alphas, Math.round(OUTLINE_PX * scale));
  const fine = averageWindows(area, light, FINE_PX);
  const broad = averageWindows(area, light, Math.max(FINE_PX + 1, Math.round(BROAD_PX * scale)));
  const along: number[] = [];
  let details = 0;
  const last = alphas.length - SLOPE_PX * width;
  for (let i = SLOPE_PX * width; i < last; i++) {
    if (weights[i]! < LEAST_WEIGHT || alphas[i]! < MIXED_FROM || alphas[i]! > MIXED_TO) continue;
    const gx = outline[i + SLOPE_PX]! - outline[i - SLOPE_PX]!;
    const gy = outline[i + SLOPE_PX * width]! - outline[i - SLOPE_PX * width]!;
    const slope = Math.hypot(gx, gy);
    if (slope < LEAST_SLOPE) continue;
    const dx = light[i + 1]! - light[i - 1]!;
    const dy = light[i + width]! - light[i - width]!;
    along.push(Math.abs(dx * gy - dy * gx) / (2 * slope));
    details += (fine[i]! - broad[i]!) ** 2;
  }
  if (along.length === 0) return false;
  const typical = Float32Array.from(along).sort()[along.length >> 1]!;
  return typical >= LEAST_RATIO * Math.sqrt(details / along.length);
}

function readLight({ data }: RgbImage): Float32Array {
  const light = new Float32Array(data.length / 3);
  for (let i = 0, p = 0; i < light.length; i++, p += 3) {
    light[i] = 0.3 * data[p]! + 0.59 * data[p + 1]! + 0.11 * data[p + 2]!;
  }
  return light;
}
