/**
 * Estimates the backdrop behind the subject. The colors around the subject continue inward as a membrane
 * (Laplace's equation with the visible backdrop as its boundary). The equation is solved by pull-push
 * (Gortler, Grzeszczuk, Szeliski, Cohen 1996, section 3.4.1) and smoothed by relaxation.
 */
import type { Matte } from '../../pixels.ts';

/** Interleaved sRGB, 0 to 255, not rounded. */
export interface Backdrop {
  readonly width: number;
  readonly height: number;
  readonly colors: Float32Array;
}

/** Relaxation sweeps per level over the unknown pixels; pull-push has already solved the low frequencies. */
const SWEEPS = 12;

/**
 * `photo` and `known` have the same size; `known` is 255 where the backdrop is visible. If no pixel is known,
 * the result is black.
 */
export function estimateBackdrop(
  photo: Matte | { readonly width: number; readonly height: number; readonly data: Uint8Array },
  known: Uint8Array,
): Backdrop {
  const { width, height, data } = photo;
  const colors = new Float32Array(width * height * 3);
  const weights = new Float32Array(width * height);
  for (let i = 0; i < weights.length; i++) {
    if (known[i] === 0) continue;
    weights[i] = 1;
    for (let c = 0; c < 3; c++) colors[i * 3 + c] = data[i * 3 + c]!;
  }
  fill({ width, height, colors }, weights);
  return { width, height, colors };
}

/** Fills the pixels whose weight is 0 with colors from a half-size copy, and relaxes them. */
function fill(level: Backdrop, weights: Float32Array): void {
  const { width, height, colors } = level;
  if (width === 1 && height === 1) return;
  const half: Backdrop = {
    width: (width + 1) >> 1,
    height: (height + 1) >> 1,
    colors: new Float32Array(((width + 1) >> 1) * ((height + 1) >> 1) * 3),
  };
  const halfWeights = shrink(level, weights, half);
  fill(half, halfWeights);
  const unknown = new Int32Array(weights.length);
  let count = 0;
  for (let i = 0; i < weights.length; i++) if (weights[i] === 0) unknown[count++] = i;
  const missing = unknown.subarray(0, count);
  for (let n = 0; n < count; n++) {
    const i = missing[n]!;
    readBetween(half, i % width, Math.floor(i / width), colors, i * 3);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) relax(level, missing);
}

function shrink({ width, height, colors }: Backdrop, weights: Float32Array, half: Backdrop): Float32Array {
  const sums = new Float32Array(half.width * half.height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (weights[i] === 0) continue;
      const to = (y >> 1) * half.width + (x >> 1);
      sums[to]! += 1;
      for (let c = 0; c < 3; c++) half.colors[to * 3 + c]! += colors[i * 3 + c]!;
    }
  }
  for (let i = 0; i < sums.length; i++) {
    if (sums[i] === 0) continue;
    for (let c = 0; c < 3; c++) half.colors[i * 3 + c]! /= sums[i]!;
    sums[i] = 1;
  }
  return sums;
}

/**
 * Samples the smaller level bilinearly for the larger level's pixel (`x`, `y`), and writes the color to `into` at `at`.
 */
function readBetween(
  { width, height, colors }: Backdrop,
  x: number,
  y: number,
  into: Float32Array,
  at: number,
): void {
  const u = Math.min(width - 1, Math.max(0, (x + 0.5) / 2 - 0.5));
  const v = Math.min(height - 1, Math.max(0, (y + 0.5) / 2 - 0.5));
  const left = Math.floor(u);
  const top = Math.floor(v);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const s = u - left;
  const t = v - top;
  for (let c = 0; c < 3; c++) {
    const above =
      colors[(top * width + left) * 3 + c]! * (1 - s) + colors[(top * width + right) * 3 + c]! * s;
    const below =
      colors[(bottom * width + left) * 3 + c]! * (1 - s) + colors[(bottom * width + right) * 3 + c]! * s;
    into[at + c] = above * (1 - t) + below * t;
  }
}

/** One Gauss-Seidel sweep: each unknown pixel becomes the mean of its neighbors. */
function relax({ width, height, colors }: Backdrop, unknown: Int32Array): void {
  for (let n = 0; n < unknown.length; n++) {
    const i = unknown[n]!;
    const x = i % width;
    const left = x > 0 ? i - 1 : i;
    const right = x < width - 1 ? i + 1 : i;
    const up = i >= width ? i - width : i;
    const down = i < width * (height - 1) ? i + width : i;
    // The channels are written out, because a loop over them takes twice as long.
    const l = left * 3;
    const r = right * 3;
    const u = up * 3;
    const d = down * 3;
    const at = i * 3;
    colors[at] = (colors[l]! + colors[r]! + colors[u]! + colors[d]!) / 4;
    colors[at + 1] = (colors[l + 1]! + colors[r + 1]! + colors[u + 1]! + colors[d + 1]!) / 4;
    colors[at + 2] = (colors[l + 2]! + colors[r + 2]! + colors[u + 2]! + colors[d + 2]!) / 4;
  }
}
