/**
 * Measures of the empty set: noise, banding, clipping, clutter, sharpness and color of the wall, and
 * similarity of sets.
 */

import type { RgbImage } from '../../src/pixels.ts';
import { type Oklch, oklabFromRgb, oklchFromOklab } from '../../src/scenes/oklch.ts';
import { coverCanvas, distanceTo, lumaOf, type Shot } from './picture.ts';

/** Maximum sum of horizontal and vertical luma differences in a smooth neighborhood, out of 255. */
const SMOOTH = 8;

/**
 * `sigma`: noise (Immerkaer 1996: the mean response of a mask that is insensitive to edges and gradients). `equal`:
 * the fraction of neighboring pixels that are equal, which is high in banded gradients. Both are measured only where
 * the picture is smooth.
 */
export function measureGrain(plate: RgbImage): { readonly sigma: number; readonly equal: number } {
  const { width, height, data } = plate;
  const luma = lumaOf(plate);
  const at = (i: number): number => luma[i]!;
  let [sum, equal, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const slope = Math.abs(at(i + 1) - at(i - 1)) + Math.abs(at(i + width) - at(i - width));
      if (slope >= SMOOTH) continue;
      const corners = at(i - width - 1) + at(i - width + 1) + at(i + width - 1) + at(i + width + 1);
      const sides = at(i - width) + at(i + width) + at(i - 1) + at(i + 1);
      sum += Math.abs(corners - 2 * sides + 4 * at(i));
      const p = i * 3;
      if (data[p] === data[p + 3] && data[p + 1] === data[p + 4] && data[p + 2] === data[p + 5]) equal++;
      count++;
    }
  }
  if (count === 0) return { sigma: 0, equal: 0 };
  return { sigma: (Math.sqrt(Math.PI / 2) * sum) / (6 * count), equal: equal / count };
}

/**
 * Fraction of pixels whose channels are all at least 254 (`white`), and of those with all channels at most 2 (`black`).
 */
export function measureClipping({ data }: RgbImage): { readonly white: number; readonly black: number } {
  let white = 0;
  let black = 0;
  for (let p = 0; p < data.length; p += 3) {
    const low = Math.min(data[p]!, data[p + 1]!, data[p + 2]!);
    const high = Math.max(data[p]!, data[p + 1]!, data[p + 2]!);
    if (low >= 254) white++;
    if (high <= 2) black++;
  }
  return { white: (3 * white) / data.length, black: (3 * black) / data.length };
}

/**
 * Mean luma difference of adjacent pixels, out of 255. Compare only pictures of about 512 px, because larger pictures
 * have smaller differences.
 */
export function measureClutter(plate: RgbImage): number {
  const { width, height } = plate;
  const luma = lumaOf(plate);
  let sum = 0;
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const i = y * width + x;
      sum += Math.abs(luma[i + 1]! - luma[i]!) + Math.abs(luma[i + width]! - luma[i]!);
    }
  }
  return sum / (2 * (width - 1) * (height - 1));
}

/** Width of the unmeasured strips along the edges of wall and product, in pixels of the half-size picture. */
const EDGE_PX = 3;
/** Percentile of sharpness; high, because a smooth product that is in focus has sharp details only at its few edges. */
const SHARPEST = 0.995;

/**
 * Sharpness of the wall divided by the sharpness of the product. Sharpness is the value that the Laplacian of luma
 * exceeds in one of 200 pixels, at half size, where grain has no effect. Undefined in a flat lay, whose ground is in
 * focus.
 */
export function measureWallSharpness(shot: Shot): number | undefined {
  if (shot.plan.composition === 'flatlay') return undefined;
  const cover = coverCanvas(shot);
  const toOther = distanceTo(shot, (i) => shot.wall[i] === 0);
  const toSet = distanceTo(shot, (i) => cover[i]! < 255);
  const wall = findSharpest(shot.plate, (i) => toOther[i]! > 2 * EDGE_PX);
  const product = findSharpest(shot.picture, (i) => toSet[i]! > 2 * EDGE_PX);
  return wall === undefined || product === undefined ? undefined : wall / product;
}

function findSharpest(picture: RgbImage, isPart: (pixel: number) => boolean): number | undefined {
  const luma = lumaOf(picture);
  const [width, height] = [picture.width >> 1, picture.height >> 1];
  const small = Float32Array.from({ length: width * height }, (_, i) => {
    const at = 2 * Math.floor(i / width) * picture.width + 2 * (i % width);
    return (luma[at]! + luma[at + 1]! + luma[at + picture.width]! + luma[at + picture.width + 1]!) / 4;
  });
  const steps: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      if (!isPart(2 * y * picture.width + 2 * x)) continue;
      steps.push(
        Math.abs(small[i - 1]! + small[i + 1]! + small[i - width]! + small[i + width]! - 4 * small[i]!),
      );
    }
  }
  if (steps.length < 100) return undefined;
  return steps.toSorted((one, other) => one - other)[Math.floor(SHARPEST * steps.length)];
}

const HUE_BIN_DEG = 5;

/**
 * The wall's color. Its hue is the mode of the wall's hues, weighted by chroma: unlike a mean, the mode does not change
 * if the mask includes parts of a prop, such as a golden disc. Lightness and chroma are the medians at that hue.
 * Undefined if almost no wall is visible.
 */
export function findWallColor({ plate, wall }: Pick<Shot, 'plate' | 'wall'>): Oklch | undefined {
  const colors: Oklch[] = [];
  for (let i = 0; i < wall.length; i += 3) {
    const p = i * 3;
    if (wall[i] === 1) {
      colors.push(oklchFromOklab(oklabFromRgb(plate.data[p]!, plate.data[p + 1]!, plate.data[p + 2]!)));
    }
  }
  if (colors.length < 50) return undefined;
  const bins = new Float64Array(360 / HUE_BIN_DEG);
  for (const { c, h } of colors) bins[Math.floor(h / HUE_BIN_DEG) % bins.length]! += c;
  const smooth = (bin: number): number =>
    [-1, 0, 1].reduce((sum, step) => sum + bins[(bin + step + bins.length) % bins.length]!, 0);
  const mode = [...bins.keys()].reduce((best, bin) => (smooth(bin) > smooth(best) ? bin : best), 0);
  const hue = (mode + 0.5) * HUE_BIN_DEG;
  const near = colors.filter(({ h }) => Math.abs(((h - hue + 540) % 360) - 180) <= 1.5 * HUE_BIN_DEG);
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  return { l: middle(near.map(({ l }) => l)), c: middle(near.map(({ c }) => c)), h: hue };
}

/** Features by which a set is compared with the other sets of its list. */
export interface Likeness {
  /** A perceptual hash of 64 signs; see `describeLikeness`. */
  readonly hash: readonly boolean[];
  /** Mean color, OKLab. */
  readonly mean: readonly [l: number, a: number, b: number];
}

const HASHED_SIDE = 32;
const HASH_SIDE = 8;

/**
 * Computes the features. The perceptual hash (pHash, Zauner 2010) says for each of the 64 lowest frequencies of a
 * 32×32 luma thumbnail whether the frequency's coefficient exceeds the median.
 */
export function describeLikeness(plate: RgbImage): Likeness {
  const { width, height, data } = plate;
  const thumb = new Float64Array(HASHED_SIDE * HASHED_SIDE);
  const counts = new Float64Array(thumb.length);
  const mean = [0, 0, 0] as [number, number, number];
  for (let i = 0; i < width * height; i++) {
    const cell =
      Math.floor((Math.floor(i / width) * HASHED_SIDE) / height) * HASHED_SIDE +
      Math.floor(((i % width) * HASHED_SIDE) / width);
    const [r, g, b] = [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!];
    thumb[cell]! += 0.299 * r + 0.587 * g + 0.114 * b;
    counts[cell]!++;
    const lab = oklabFromRgb(r, g, b);
    for (let c = 0; c < 3; c++) mean[c]! += lab[c]! / (width * height);
  }
  for (let i = 0; i < thumb.length; i++) thumb[i]! /= Math.max(1, counts[i]!);
  const waves: number[] = [];
  for (let v = 0; v < HASH_SIDE; v++) for (let u = 0; u < HASH_SIDE; u++) waves.push(transform(thumb, u, v));
  const middle = waves.slice(1).toSorted((one, other) => one - other)[31]!;
  return { hash: waves.map((wave) => wave > middle), mean };
}

/** One coefficient of the discrete cosine transform, type II. */
function transform(thumb: Float64Array, u: number, v: number): number {
  let sum = 0;
  for (let y = 0; y < HASHED_SIDE; y++) {
    const cosY = Math.cos(((2 * y + 1) * v * Math.PI) / (2 * HASHED_SIDE));
    for (let x = 0; x < HASHED_SIDE; x++) {
      sum += thumb[y * HASHED_SIDE + x]! * cosY * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * HASHED_SIDE));
    }
  }
  return sum;
}

/** Hamming distance of the hashes, out of 64. */
export function compareHashes(one: Likeness, other: Likeness): number {
  return one.hash.filter((sign, i) => sign !== other.hash[i]).length;
}

/** OKLab distance of the mean colors. */
export function compareMeans(one: Likeness, other: Likeness): number {
  return Math.hypot(...one.mean.map((value, c) => value - other.mean[c]!));
}
