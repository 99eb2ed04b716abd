/**
 * Splits a photo into small regions of one color each, bounded by the edges in the photo.
 *
 * Felzenszwalb, Huttenlocher, "Efficient Graph-Based Image Segmentation" (IJCV 2004): neighboring regions
 * merge in order of similarity, as long as they differ by no more than the variation within each region, plus
 * an allowance for small regions. In addition, regions have a maximum area, so that a gap in a weak edge
 * cannot join two large surfaces.
 */
import type { Lab } from 'packshot-pixels';

export interface Regions {
  readonly count: number;
  /** The index of each pixel's region, starting at 0. */
  readonly of: Int32Array;
}

/** The allowance for a region of one pixel, in OKLab distance; it shrinks with the area. */
const ALLOWANCE = 0.25;
/** Maximum area of a region, as a fraction of all pixels. */
const MOST_SHARE = 1 / 600;
/** Smaller regions merge into the most similar neighbor. */
const LEAST_PX = 6;
/** Number and width of the buckets for sorting differences. Larger differences go into the last bucket. */
const STEPS = 1024;
const STEP = 0.0004;

/** Pixels with different values in `kinds` never share a region. */
export function splitRegions(photo: Lab, kinds: Uint8Array): Regions {
  const { width, height } = photo;
  const pixels = width * height;
  const { pairs, ends } = sortPairs(photo, kinds);
  const parents = new Int32Array(pixels);
  for (let i = 0; i < pixels; i++) parents[i] = i;
  const areas = new Int32Array(pixels).fill(1);
  const limits = new Float32Array(pixels).fill(ALLOWANCE);
  const most = Math.max(LEAST_PX, pixels * MOST_SHARE);
  const rootOf = (pixel: number): number => {
    let root = pixel;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  const merge = (a: number, b: number, weight: number): void => {
    parents[b] = a;
    areas[a]! += areas[b]!;
    limits[a] = weight + ALLOWANCE / areas[a]!;
  };
  const secondOf = (pair: number): number => (pair >> 1) + ((pair & 1) === 0 ? 1 : width);
  // Pairs whose pixels are still in two regions are kept, in the same order, for the second round, which merges the
  // regions that are too small.
  let kept = 0;
  for (let step = 0, n = 0; step < STEPS; step++) {
    const weight = Math.fround(step * STEP);
    for (const end = ends[step]!; n < end; n++) {
      const a = rootOf(pairs[n]! >> 1);
      const b = rootOf(secondOf(pairs[n]!));
      if (a === b) continue;
      if (areas[a]! + areas[b]! <= most && weight <= limits[a]! && weight <= limits[b]!) merge(a, b, weight);
      else pairs[kept++] = pairs[n]!;
    }
    ends[step] = kept;
  }
  for (let step = 0, n = 0; step < STEPS; step++) {
    for (; n < ends[step]!; n++) {
      const a = rootOf(pairs[n]! >> 1);
      const b = rootOf(secondOf(pairs[n]!));
      if (a !== b && Math.min(areas[a]!, areas[b]!) < LEAST_PX) merge(a, b, Math.fround(step * STEP));
    }
  }
  const numbers = new Int32Array(pixels).fill(-1);
  const of = new Int32Array(pixels);
  let count = 0;
  for (let i = 0; i < pixels; i++) {
    const root = rootOf(i);
    if (numbers[root] === -1) numbers[root] = count++;
    of[i] = numbers[root]!;
  }
  return { count, of };
}

/**
 * Lists the pairs of 4-connected neighbors that have the same kind, most similar first. A pair is twice the index of
 * its first pixel, plus 1 if the second one is below it and not beside it. `ends[step]` is the number of pairs whose
 * difference is at most `step`.
 */
function sortPairs({ width, height, data }: Lab, kinds: Uint8Array) {
  const starts = new Int32Array(STEPS + 1);
  const pixels = width * height;
  const steps = new Int16Array(pixels * 2).fill(-1);
  const add = (n: number, a: number, b: number): void => {
    const step = quantize(data, a, b);
    steps[n] = step;
    starts[step + 1]!++;
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x < width - 1 && kinds[i] === kinds[i + 1]) add(2 * i, i, i + 1);
      if (y < height - 1 && kinds[i] === kinds[i + width]) add(2 * i + 1, i, i + width);
    }
  }
  for (let s = 0; s < STEPS; s++) starts[s + 1]! += starts[s]!;
  const pairs = new Int32Array(starts[STEPS]!);
  for (let n = 0; n < steps.length; n++) if (steps[n]! >= 0) pairs[starts[steps[n]!]!++] = n;
  // Each start has moved to the end of its step.
  return { pairs, ends: starts };
}

function quantize(data: Float32Array, a: number, b: number): number {
  return Math.min(STEPS - 1, Math.round(measureDistance(data, a, b) / STEP));
}

function measureDistance(data: Float32Array, a: number, b: number): number {
  return Math.sqrt(measureSquare(data, a, b));
}

/** Squared OKLab distance between the colors of two pixels. */
export function measureSquare(data: Float32Array, a: number, b: number): number {
  const light = data[3 * a]! - data[3 * b]!;
  const red = data[3 * a + 1]! - data[3 * b + 1]!;
  const yellow = data[3 * a + 2]! - data[3 * b + 2]!;
  return light * light + red * red + yellow * yellow;
}
