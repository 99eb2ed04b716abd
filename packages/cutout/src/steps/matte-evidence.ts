/** Measures a matte without ground truth: how certain it is, and whether the photo supports it. */
import { findParts, type Matte, oklabFromRgb, type Rgb, type RgbImage, SUBJECT } from 'packshot-pixels';
import { enlargeMatte } from './enlarge-matte.ts';

/** Distance from the contour at which the photo's colors are compared, as a share of the longer side. */
const REACH_SHARE = 4 / 1024;
/**
 * Only the contour's pixels on every third diagonal of the matte are sampled. These are enough for a quartile, and
 * sampling on diagonals favors neither horizontal nor vertical stretches of the contour.
 */
const STEP = 3;
const FRAGMENTS_SIDE_PX = 512;

/**
 * Softness of a matte: the sum of all differences of alpha from 0 or 255, whichever is nearer, divided by the sum of
 * alpha. It is 0 if every pixel is fully subject or fully background, and 1 if no pixel is at least half subject.
 */
export function measureSoftness({ data }: Matte): number {
  let doubt = 0;
  let mass = 0;
  for (let i = 0; i < data.length; i++) {
    const alpha = data[i]!;
    mass += alpha;
    doubt += alpha < SUBJECT ? alpha : 255 - alpha;
  }
  return mass < 255 ? 1 : doubt / mass;
}

/**
 * The fraction of the subject, 0 to 1, that is not part of its largest connected part; 1 for an empty matte. Measured
 * on a copy of 512 px, so that specks do not count.
 */
export async function measureFragments(matte: Matte): Promise<number> {
  const small = await enlargeMatte(matte, { width: FRAGMENTS_SIDE_PX, height: FRAGMENTS_SIDE_PX });
  const { parts } = findParts(small, { min: SUBJECT, max: 255, neighbours: 8 });
  const all = parts.reduce((sum, { area }) => sum + area, 0);
  const largest = parts.reduce((most, { area }) => Math.max(most, area), 0);
  return all === 0 ? 1 : 1 - largest / all;
}

/**
 * Compares the photo's colors just inside and just outside the contour, and returns the lower quartile of their OKLab
 * distances. If the contour follows no edge in the photo, it is a guess. Distances are from 0 to about 1; .02 is barely
 * visible, and white on black is 1.
 */
export function measureContourContrast(matte: Matte, source: RgbImage): number {
  const { width, height, data } = matte;
  const reach = Math.max(2, Math.max(width, height) * REACH_SHARE);
  const margin = Math.ceil(reach) + 2;
  const distances: number[] = [];
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin, i = y * width + margin; x < width - margin; x++, i++) {
      if (data[i]! < SUBJECT || (x + y) % STEP !== 0) continue;
      const isInner =
        data[i - 1]! >= SUBJECT &&
        data[i + 1]! >= SUBJECT &&
        data[i - width]! >= SUBJECT &&
        data[i + width]! >= SUBJECT;
      if (isInner) continue;
      const gx = data[i + 2]! - data[i - 2]!;
      const gy = data[i + 2 * width]! - data[i - 2 * width]!;
      const length = Math.hypot(gx, gy);
      if (length < 1) continue;
      const dx = Math.round((gx / length) * reach);
      const dy = Math.round((gy / length) * reach);
      const inside = readLab(source, (x + dx + 0.5) / width, (y + dy + 0.5) / height);
      const outside = readLab(source, (x - dx + 0.5) / width, (y - dy + 0.5) / height);
      distances.push(Math.hypot(inside[0] - outside[0], inside[1] - outside[1], inside[2] - outside[2]));
    }
  }
  if (distances.length === 0) return 0;
  return Float64Array.from(distances).sort()[distances.length >> 2]!;
}

function readLab({ width, height, data }: RgbImage, u: number, v: number): Rgb {
  const at = (Math.floor(v * height) * width + Math.floor(u * width)) * 3;
  return oklabFromRgb(data[at]!, data[at + 1]!, data[at + 2]!);
}
