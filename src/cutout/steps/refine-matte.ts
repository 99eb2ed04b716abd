/** Step: repairs specks, pinholes and semi-transparent areas (veils) that engines leave in a matte. */
import { findParts } from '../../pixels/connected-parts.ts';
import type { Matte, RgbImage } from '../../pixels.ts';
import { closeVeils, fadeVeils } from './close-veils.ts';

/** Minimum alpha of a part. Lower values are a veil too faint to see on a backdrop. */
const PART_MIN = 13;
/**
 * A speck's alpha adds up to less than this share of the largest part's sum, and none of its pixels has an alpha of
 * `SPECK_PEAK` or more. Other small parts stay, because products may have several parts.
 */
const SPECK_MASS_SHARE = 0.002;
const SPECK_PEAK = 160;
/**
 * Maximum area of a pinhole, as a share of the subject. Real holes, such as in handles or chairs, are larger or show
 * another color.
 */
const PINHOLE_AREA_SHARE = 0.0005;
/** Maximum mean difference of sRGB values, 0 to 255, at which a gap and its rim count as having the same color. */
const SAME_COLOR = 14;

/**
 * `source` covers the same view at any resolution. `hasPinholes` is false for a mesh: its small gaps are real openings,
 * and filling them cost a wire basket .001 of IoU.
 */
export function refineMatte(
  matte: Matte,
  source: RgbImage,
  { hasPinholes }: { readonly hasPinholes: boolean },
): Matte {
  const clean = dropSpecks(matte);
  return fadeVeils(closeVeils(hasPinholes ? fillPinholes(clean, source) : clean));
}

/** Removes veils with an alpha below `PART_MIN`, and specks, which are both small and faint. All other parts stay. */
export function dropSpecks(matte: Matte): Matte {
  const data = new Uint8Array(matte.data.length);
  const { parts, order } = findParts(matte, { min: PART_MIN, max: 255, neighbours: 8 });
  const largest = parts.reduce((mass, part) => Math.max(mass, part.mass), 0);
  for (const part of parts) {
    if (part.mass < largest * SPECK_MASS_SHARE && part.peak < SPECK_PEAK) continue;
    for (let i = part.start; i < part.end; i++) data[order[i]!] = matte.data[order[i]!]!;
  }
  keepFaintRims(matte, data);
  return { ...matte, data };
}

/** Restores the faint outer rim of the kept parts. Cutting it off at the threshold would leave a step in the edge. */
function keepFaintRims({ width, data: before }: Matte, after: Uint8Array): void {
  for (let i = 0; i < after.length; i++) {
    const value = before[i]!;
    if (value === 0 || value >= PART_MIN) continue;
    const isRim =
      after[i - 1]! >= PART_MIN ||
      after[i + 1]! >= PART_MIN ||
      after[i - width]! >= PART_MIN ||
      after[i + width]! >= PART_MIN;
    if (isRim) after[i] = value;
  }
}

/** Closes tiny enclosed gaps in which the photo has the same color as around them. */
export function fillPinholes(matte: Matte, source: RgbImage): Matte {
  const gaps = findParts(matte, { min: 0, max: 127, neighbours: 4 });
  const subjectArea = matte.data.length - gaps.parts.reduce((area, gap) => area + gap.area, 0);
  const maxArea = Math.max(4, subjectArea * PINHOLE_AREA_SHARE);
  const data = matte.data.slice();
  for (const gap of gaps.parts) {
    if (gap.touchesFrame || gap.area > maxArea) continue;
    const inside = gaps.order.subarray(gap.start, gap.end);
    const rim = findRim(inside, matte);
    if (measureColorDifference(inside, rim, { matte, source }) > SAME_COLOR) continue;
    for (const index of inside) data[index] = 255;
    for (const index of rim) data[index] = 255;
  }
  return { ...matte, data };
}

/** The subject pixels up to two steps around an enclosed gap: the gap's soft edge, and the first solid pixels. */
function findRim(inside: Int32Array, { width, height, data }: Matte): Set<number> {
  const rim = new Set<number>();
  for (const index of inside) {
    const x = index % width;
    const y = (index - x) / width;
    for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
      for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
        if (data[v * width + u]! > 127) rim.add(v * width + u);
      }
    }
  }
  return rim;
}

function measureColorDifference(
  inside: Iterable<number>,
  rim: Iterable<number>,
  pictures: { readonly matte: Matte; readonly source: RgbImage },
): number {
  const a = averageColor(inside, pictures);
  const b = averageColor(rim, pictures);
  return (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2])) / 3;
}

function averageColor(
  indices: Iterable<number>,
  { matte, source }: { readonly matte: Matte; readonly source: RgbImage },
): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const index of indices) {
    const x = Math.floor((((index % matte.width) + 0.5) * source.width) / matte.width);
    const y = Math.floor(((Math.floor(index / matte.width) + 0.5) * source.height) / matte.height);
    const at = (y * source.width + x) * 3;
    for (let c = 0; c < 3; c++) sum[c]! += source.data[at + c]!;
    count++;
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}
