/** A histogram of the colors of a set of pixels, smoothed over similar colors. */

/** Number of bins of lightness, from 0 to 1, and of each of OKLab's a and b, from -0.32 to 0.32. */
const LIGHT = 24;
const HUE = 20;
const HUE_RANGE = 0.32;
/** Added to the share of each color, so that the share of a color that does not occur is not 0. */
const RARE = 1e-4;

export function createColorHistogram() {
  let bins = new Float64Array(LIGHT * HUE * HUE);
  let count = 0;

  return {
    /** Counts the color of pixel `i` in interleaved OKLab data, with a weight of 0 to 1. */
    add(lab: Float32Array, i: number, weight = 1): void {
      bins[findBin(lab, i)]! += weight;
      count += weight;
    },

    /** Smooths the counts, and turns them into shares. Call this once, before `find`. */
    finish(): void {
      for (const stride of [1, HUE, HUE * HUE]) bins = blur(bins, stride);
      for (let n = 0; n < bins.length; n++) bins[n]! /= Math.max(1, count);
    },

    /** Share of the counted pixels that have about the color of pixel `i`; never 0. */
    find: (lab: Float32Array, i: number): number => bins[findBin(lab, i)]! + RARE,
  };
}

/** The bin for the color of pixel `i` in interleaved OKLab data. */
function findBin(lab: Float32Array, i: number): number {
  const light = clip(lab[3 * i]! * LIGHT, LIGHT);
  const a = clip(((lab[3 * i + 1]! + HUE_RANGE) / (2 * HUE_RANGE)) * HUE, HUE);
  const b = clip(((lab[3 * i + 2]! + HUE_RANGE) / (2 * HUE_RANGE)) * HUE, HUE);
  return (light * HUE + a) * HUE + b;
}

const clip = (value: number, bins: number): number => Math.min(bins - 1, Math.max(0, Math.floor(value)));

/** Blurs with the weights 1, 2, 1 along one axis. The blur wraps around at the ends of rows, where no colors lie. */
function blur(bins: Float64Array, stride: number): Float64Array<ArrayBuffer> {
  const blurred = new Float64Array(bins.length);
  for (let n = 0; n < bins.length; n++) {
    const before = n < stride ? 0 : bins[n - stride]!;
    const after = n + stride < bins.length ? bins[n + stride]! : 0;
    blurred[n] = (2 * bins[n]! + before + after) / 4;
  }
  return blurred;
}
