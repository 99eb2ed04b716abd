/**
 * Closed-form matting: estimates the alpha of unknown pixels from the photo's colors and the surrounding known pixels.
 *
 * Levin, Lischinski, Weiss, "A Closed-Form Solution to Natural Image Matting" (PAMI 2008): within each 3x3 window alpha
 * is an affine function of the color, which makes alpha the solution of a sparse linear system, the matting Laplacian
 * (their equation 12). Here, only unknown pixels are variables, and known pixels move to the right-hand side. The
 * conjugate gradient method starts from a guess and runs for a limited number of steps. Time and memory are linear in
 * the number of unknown pixels: 100 bytes each for the 5x5 stencil.
 */
import type { RgbImage } from '../../pixels.ts';

/**
 * Regularization of the color covariance of a window, for colors from 0 to 1. With the paper's 1e-7, the boundaries of
 * JPEG blocks act as edges in plain areas.
 */
const EPSILON = 1e-6;
/**
 * Stop when the residual is this fraction of the first residual. A smaller one would make no difference in 8-bit alpha.
 */
const TOLERANCE = 1e-3;
const STEPS = 80;
const COARSEST_STEPS = 300;
const COARSEST_SIDE_PX = 256;
/** Steps between two checks of the signal. */
const STEPS_PER_CHECK = 16;

export interface MattingProblem {
  readonly photo: RgbImage;
  /** One byte per pixel: 1 where alpha is to be found, 0 where it is known. Must be 0 in the two outermost rings. */
  readonly unknown: Uint8Array;
  /** 0 to 1 per pixel: the known values, and the starting values of unknown pixels. */
  readonly alpha: Float32Array;
}

/**
 * Overwrites `alpha` at the unknown pixels; results may be slightly outside 0 to 1. Throws the signal's reason if it is
 * aborted.
 *
 * Each level starts from the solution at half its size, because information travels farther per step at a coarse level.
 */
export function solveClosedForm(problem: MattingProblem, signal: AbortSignal): void {
  const { width, height } = problem.photo;
  const pixels = listUnknown(problem.unknown);
  if (pixels.length === 0) return;
  const isCoarsest = Math.min(width, height) < 2 * COARSEST_SIDE_PX;
  if (!isCoarsest) {
    const half = halve(problem);
    solveClosedForm(half, signal);
    takeOver(problem, half);
  }
  signal.throwIfAborted();
  const stencils = makeStencils(problem, pixels);
  signal.throwIfAborted();
  solve({ ...problem, pixels, stencils, maxSteps: isCoarsest ? COARSEST_STEPS : STEPS }, signal);
}

/** Averages blocks of 2x2 pixels. A block with an unknown pixel counts as unknown. */
function halve({ photo, unknown, alpha }: MattingProblem): MattingProblem {
  const width = photo.width >> 1;
  const height = photo.height >> 1;
  const data = new Uint8Array(width * height * 3);
  const isUnknown = new Uint8Array(width * height);
  const mean = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const a = y * 2 * photo.width + x * 2;
      const c = a + photo.width;
      mean[i] = (alpha[a]! + alpha[a + 1]! + alpha[c]! + alpha[c + 1]!) / 4;
      const isInside = x > 1 && y > 1 && x < width - 2 && y < height - 2;
      if (isInside) isUnknown[i] = unknown[a]! | unknown[a + 1]! | unknown[c]! | unknown[c + 1]!;
      for (let k = 0; k < 3; k++) {
        const sum =
          photo.data[a * 3 + k]! +
          photo.data[a * 3 + 3 + k]! +
          photo.data[c * 3 + k]! +
          photo.data[c * 3 + 3 + k]!;
        data[i * 3 + k] = (sum + 2) >> 2;
      }
    }
  }
  return { photo: { width, height, data }, unknown: isUnknown, alpha: mean };
}

/** Writes the half-size solution into the unknown pixels, by bilinear interpolation. */
function takeOver({ photo, unknown, alpha }: MattingProblem, half: MattingProblem): void {
  const { width, height } = half.photo;
  for (let y = 0, i = 0; y < photo.height; y++) {
    const top = Math.min(height - 1, Math.max(0, (y - 1) >> 1));
    const bottom = Math.min(height - 1, top + 1);
    const down = (y & 1) === 0 ? 0.75 : 0.25;
    for (let x = 0; x < photo.width; x++, i++) {
      if (unknown[i] === 0) continue;
      const left = Math.min(width - 1, Math.max(0, (x - 1) >> 1));
      const right = Math.min(width - 1, left + 1);
      const across = (x & 1) === 0 ? 0.75 : 0.25;
      const above =
        half.alpha[top * width + left]! * (1 - across) + half.alpha[top * width + right]! * across;
      const below =
        half.alpha[bottom * width + left]! * (1 - across) + half.alpha[bottom * width + right]! * across;
      alpha[i] = above * (1 - down) + below * down;
    }
  }
}

function listUnknown(unknown: Uint8Array): Int32Array {
  let count = 0;
  for (const flag of unknown) count += flag;
  const list = new Int32Array(count);
  for (let i = 0, n = 0; i < unknown.length; i++) if (unknown[i] === 1) list[n++] = i;
  return list;
}

/**
 * Computes the weights of the matting Laplacian: 25 per unknown pixel, for its 5x5 neighborhood row by row. The 13th
 * weight is that of the pixel itself.
 */
function makeStencils({ photo, unknown }: MattingProblem, pixels: Int32Array): Float32Array {
  const { width, height } = photo;
  const rowOf = new Int32Array(unknown.length).fill(-1);
  for (let n = 0; n < pixels.length; n++) rowOf[pixels[n]!] = n;
  const stencils = new Float32Array(pixels.length * 25);
  const window = makeWindow();
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const touches =
        unknown[i - width - 1]! |
        unknown[i - width]! |
        unknown[i - width + 1]! |
        unknown[i - 1]! |
        unknown[i]! |
        unknown[i + 1]! |
        unknown[i + width - 1]! |
        unknown[i + width]! |
        unknown[i + width + 1]!;
      if (touches === 0) continue;
      fillWindow(window, photo, i);
      addWindow(window, { stencils, rowOf, width, center: i });
    }
  }
  return stencils;
}

interface Window {
  /** Colors of the 9 pixels minus their mean; colors range from 0 to 1. */
  readonly colors: Float64Array;
  /** The inverse covariance times `colors`. */
  readonly whitened: Float64Array;
}

function makeWindow(): Window {
  return { colors: new Float64Array(27), whitened: new Float64Array(27) };
}

function fillWindow({ colors, whitened }: Window, { width, data }: RgbImage, center: number): void {
  let meanR = 0;
  let meanG = 0;
  let meanB = 0;
  for (let v = -1, k = 0; v <= 1; v++) {
    for (let p = (center + v * width - 1) * 3, u = 0; u < 3; u++, p += 3, k += 3) {
      colors[k] = data[p]! / 255;
      colors[k + 1] = data[p + 1]! / 255;
      colors[k + 2] = data[p + 2]! / 255;
      meanR += colors[k]!;
      meanG += colors[k + 1]!;
      meanB += colors[k + 2]!;
    }
  }
  meanR /= 9;
  meanG /= 9;
  meanB /= 9;
  let rr = EPSILON;
  let gg = EPSILON;
  let bb = EPSILON;
  let rg = 0;
  let rb = 0;
  let gb = 0;
  for (let k = 0; k < 27; k += 3) {
    const r = colors[k]! - meanR;
    const g = colors[k + 1]! - meanG;
    const b = colors[k + 2]! - meanB;
    colors[k] = r;
    colors[k + 1] = g;
    colors[k + 2] = b;
    rr += r * r;
    gg += g * g;
    bb += b * b;
    rg += r * g;
    rb += r * b;
    gb += g * b;
  }
  // Inverts the covariance. The sums are nine times the covariance, hence the 9 in the scale.
  const c00 = gg * bb - gb * gb;
  const c01 = rb * gb - rg * bb;
  const c02 = rg * gb - rb * gg;
  const scale = 9 / (rr * c00 + rg * c01 + rb * c02);
  const c11 = rr * bb - rb * rb;
  const c12 = rb * rg - rr * gb;
  const c22 = rr * gg - rg * rg;
  for (let k = 0; k < 27; k += 3) {
    const r = colors[k]!;
    const g = colors[k + 1]!;
    const b = colors[k + 2]!;
    whitened[k] = (c00 * r + c01 * g + c02 * b) * scale;
    whitened[k + 1] = (c01 * r + c11 * g + c12 * b) * scale;
    whitened[k + 2] = (c02 * r + c12 * g + c22 * b) * scale;
  }
}

interface StencilTarget {
  readonly stencils: Float32Array;
  /** For each pixel, its index among the unknown pixels, or -1 if it is known. */
  readonly rowOf: Int32Array;
  readonly width: number;
  readonly center: number;
}

/** Adds one window's part of equation 12. */
function addWindow({ colors, whitened }: Window, { stencils, rowOf, width, center }: StencilTarget): void {
  for (let a = 0; a < 9; a++) {
    const ya = (a / 3) | 0;
    const xa = a - ya * 3;
    const row = rowOf[center + (ya - 1) * width + xa - 1]!;
    if (row < 0) continue;
    const r = whitened[a * 3]!;
    const g = whitened[a * 3 + 1]!;
    const b = whitened[a * 3 + 2]!;
    // Position of the window's first pixel in this pixel's 5x5 neighborhood.
    const first = row * 25 + (2 - ya) * 5 + 2 - xa;
    for (let k = 0, c = 0; k < 9; k++, c += 3) {
      const weight = -(1 + r * colors[c]! + g * colors[c + 1]! + b * colors[c + 2]!) / 9;
      stencils[first + ((k / 3) | 0) * 5 + (k % 3)]! += weight;
    }
    stencils[row * 25 + 12]! += 1;
  }
}

interface System extends MattingProblem {
  readonly pixels: Int32Array;
  readonly stencils: Float32Array;
  readonly maxSteps: number;
}

/** Conjugate gradient (Hestenes, Stiefel 1952) with the diagonal as preconditioner. */
function solve({ photo, pixels, stencils, alpha, maxSteps }: System, signal: AbortSignal): void {
  const { width } = photo;
  const count = pixels.length;
  const residual = new Float64Array(count);
  const image = new Float64Array(count);
  const inverse = new Float64Array(count);
  // The direction covers the whole picture, with known pixels at 0, so neighbors need no index lookup.
  const direction = new Float32Array(alpha.length);
  multiply({ pixels, stencils, width }, alpha, image);
  let product = 0;
  for (let n = 0; n < count; n++) {
    residual[n] = -image[n]!;
    inverse[n] = 1 / Math.max(1e-6, stencils[n * 25 + 12]!);
    direction[pixels[n]!] = inverse[n]! * residual[n]!;
    product += residual[n]! * residual[n]! * inverse[n]!;
  }
  const enough = product * TOLERANCE * TOLERANCE;
  let step = 0;
  while (step < maxSteps && product > enough && product > 1e-12) {
    if (step % STEPS_PER_CHECK === 0) signal.throwIfAborted();
    multiply({ pixels, stencils, width }, direction, image);
    let curvature = 0;
    for (let n = 0; n < count; n++) curvature += direction[pixels[n]!]! * image[n]!;
    if (!(curvature > 0)) break;
    const length = product / curvature;
    let next = 0;
    for (let n = 0; n < count; n++) {
      const at = pixels[n]!;
      alpha[at]! += length * direction[at]!;
      const rest = residual[n]! - length * image[n]!;
      residual[n] = rest;
      next += rest * rest * inverse[n]!;
    }
    const keep = next / product;
    for (let n = 0; n < count; n++) {
      const at = pixels[n]!;
      direction[at] = inverse[n]! * residual[n]! + keep * direction[at]!;
    }
    product = next;
    step++;
  }
}

type Matrix = Pick<System, 'pixels' | 'stencils'> & { readonly width: number };

function multiply({ pixels, stencils, width }: Matrix, values: Float32Array, into: Float64Array): void {
  for (let n = 0, s = 0; n < pixels.length; n++) {
    let sum = 0;
    for (let row = pixels[n]! - 2 * width - 2, v = 0; v < 5; v++, row += width, s += 5) {
      sum +=
        stencils[s]! * values[row]! +
        stencils[s + 1]! * values[row + 1]! +
        stencils[s + 2]! * values[row + 2]! +
        stencils[s + 3]! * values[row + 3]! +
        stencils[s + 4]! * values[row + 4]!;
    }
    into[n] = sum;
  }
}
