/**
 * Closed-form matting: estimates the alpha of unknown pixels from the photo's colors and the surrounding known pixels.
 *
 * Levin, Lischinski, Weiss, "A Closed-Form Solution to Natural Image Matting" (PAMI 2008): within each 3x3 window alpha
 * is an affine function of the color, which makes alpha the solution of a sparse linear system, the matting Laplacian
 * (their equation 12). Here, only unknown pixels are variables, and known pixels move to the right-hand side. The
 * conjugate gradient method starts from a guess and runs for a limited number of steps. Time and memory are linear in
 * the number of unknown pixels: the 5x5 stencil of each takes 100 bytes. The inner loops are in
 * `wasm/matting-kernels.ts`.
 */
import {
  type Box,
  cutWindow,
  ensureMemory,
  findMatteBounds,
  type Kernels,
  openKernels,
  type RgbImage,
} from 'packshot-pixels';

/**
 * Regularization of the color covariance of a window, for colors from 0 to 1. With the paper's 1e-7, the boundaries of
 * JPEG blocks act as edges in plain areas.
 */
const EPSILON = 1e-6;
/** Stop when the residual is this fraction of the first one. Smaller fractions do not change 8-bit alpha. */
const TOLERANCE = 1e-3;
const STEPS = 80;
const COARSEST_STEPS = 300;
const COARSEST_SIDE_PX = 256;
/** Room around the unknown pixels at the coarsest level: windows reach 2 px, and the interpolation 1 px. */
const WINDOW_ROOM_PX = 4;
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
 */
export function solveClosedForm(problem: MattingProblem, signal: AbortSignal): void {
  const { photo, unknown, alpha } = problem;
  const bounds = findMatteBounds({ ...photo, data: unknown }, 1);
  if (bounds === null) return;
  let halvings = 0;
  while (Math.min(photo.width, photo.height) >> halvings >= 2 * COARSEST_SIDE_PX) halvings++;
  const area = widen(bounds, photo, halvings);
  const part = crop(problem, area);
  solveLevel(part, { kernels: makeKernels(), signal, halvings });
  for (let y = 0, i = 0; y < area.height; y++) {
    for (let x = 0, at = (area.y + y) * photo.width + area.x; x < area.width; x++, i++, at++) {
      if (part.unknown[i] === 1) alpha[at] = part.alpha[i]!;
    }
  }
}

/**
 * Leaves room around the unknown pixels for the windows of the coarsest level. The box starts and ends where the blocks
 * of that level do, or at the photo's border, so that the levels are the same as those of the whole photo.
 */
function widen({ x, y, width, height }: Box, photo: RgbImage, halvings: number): Box {
  const block = 2 ** halvings;
  const room = WINDOW_ROOM_PX * block;
  const start = (from: number) => Math.max(0, Math.floor((from - room) / block) * block);
  const end = (to: number, most: number) => Math.min(most, Math.ceil((to + room) / block) * block);
  return {
    x: start(x),
    y: start(y),
    width: end(x + width, photo.width) - start(x),
    height: end(y + height, photo.height) - start(y),
  };
}

function crop({ photo, unknown, alpha }: MattingProblem, area: Box): MattingProblem {
  const { width } = photo;
  const part = new Float32Array(area.width * area.height);
  for (let y = 0; y < area.height; y++) {
    const from = (area.y + y) * width + area.x;
    part.set(alpha.subarray(from, from + area.width), y * area.width);
  }
  return {
    photo: cutWindow(photo, area),
    unknown: cutWindow({ ...photo, data: unknown }, area).data,
    alpha: part,
  };
}

interface Run {
  readonly kernels: MattingKernels;
  readonly signal: AbortSignal;
  /** How many more times the problem may be halved in size. */
  readonly halvings: number;
}

/**
 * Each level starts from the solution at half its size, because information travels farther per step at a coarse level.
 */
function solveLevel(problem: MattingProblem, { kernels, signal, halvings }: Run): void {
  if (halvings > 0) {
    const half = halve(problem);
    solveLevel(half, { kernels, signal, halvings: halvings - 1 });
    takeOver(problem, half);
  }
  signal.throwIfAborted();
  const system = layOut(kernels, problem);
  signal.throwIfAborted();
  solve(system, halvings === 0 ? COARSEST_STEPS : STEPS, signal);
  problem.alpha.set(new Float32Array(kernels.memory.buffer, system.alpha, problem.alpha.length));
}

/** Averages blocks of 2x2 pixels. A block with an unknown pixel is unknown, except in the two outermost rings. */
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

/** See `wasm/matting-kernels.ts`, which lists the parameters: addresses, except for sizes and numbers of steps. */
interface MattingKernels extends Kernels {
  makeStencils(...parameters: number[]): void;
  begin(...parameters: number[]): number;
  descend(...parameters: number[]): number;
}

/** Each call makes an instance, whose memory is freed with it. */
const makeKernels = openKernels<MattingKernels>(new URL('./matting-kernels.wasm', import.meta.url));

const STENCIL_BYTES = 100;
const LEVELS = Float64Array.from({ length: 256 }, (_, byte) => byte / 255);

/** A level's linear system in the kernels' memory. */
interface System {
  readonly kernels: MattingKernels;
  /** Of the alpha that the solver changes, in the order of pixels. */
  readonly alpha: number;
  /** The first parameters of `begin` and `descend`. */
  readonly parameters: readonly number[];
  readonly image: number;
}

/**
 * Writes the system into the kernels' memory, and computes its stencils. A pair of pixels (see `listPairs`) has two rows
 * in the system, one for each pixel.
 */
function layOut(kernels: MattingKernels, { photo, unknown, alpha }: MattingProblem): System {
  const { width, height } = photo;
  const pairs = listPairs(unknown);
  const rows = 2 * pairs.length;
  let end = kernels.freeMemory.value;
  const reserve = (bytes: number): number => {
    const start = end;
    end = (end + bytes + 15) & ~15;
    return start;
  };
  const levels = reserve(256 * 8);
  const residual = reserve(rows * 8);
  const inverse = reserve(rows * 8);
  const image = reserve(rows * 8);
  const stencils = reserve(rows * STENCIL_BYTES);
  const direction = reserve(alpha.byteLength);
  const values = reserve(alpha.byteLength);
  const rowOf = reserve(alpha.byteLength);
  const pairsAt = reserve(pairs.byteLength);
  const photoAt = reserve(photo.data.length);
  ensureMemory(kernels, end);
  const { buffer } = kernels.memory;
  new Float64Array(buffer, levels, 256).set(LEVELS);
  new Uint8Array(buffer, stencils, direction + alpha.byteLength - stencils).fill(0);
  new Float32Array(buffer, values, alpha.length).set(alpha);
  new Int32Array(buffer, pairsAt, pairs.length).set(pairs);
  new Uint8Array(buffer, photoAt, photo.data.length).set(photo.data);
  const rowsOfPixels = new Int32Array(buffer, rowOf, alpha.length).fill(-1);
  for (let n = 0; n < pairs.length; n++) {
    const pixel = pairs[n]!;
    rowsOfPixels[pixel] = 2 * n;
    if (unknown[pixel + 1] === 1) rowsOfPixels[pixel + 1] = 2 * n + 1;
  }
  kernels.makeStencils(photoAt, levels, rowOf, stencils, width, height, EPSILON);
  const parameters = [pairsAt, pairs.length, width, stencils, values, direction, residual, inverse];
  return { kernels, alpha: values, parameters, image };
}

/** Pairs horizontal neighbors of which the left one, or both, are unknown. Returns the indices of the left ones. */
function listPairs(unknown: Uint8Array): Int32Array {
  const pairs = new Int32Array(unknown.length >> 1);
  let count = 0;
  for (let i = 0; i < unknown.length; i++) {
    if (unknown[i] === 1) pairs[count++] = i++;
  }
  return pairs.slice(0, count);
}

/** Conjugate gradient (Hestenes, Stiefel 1952) with the diagonal as preconditioner. */
function solve({ kernels, parameters, image }: System, maxSteps: number, signal: AbortSignal): void {
  let product = kernels.begin(...parameters);
  const enough = Math.max(1e-12, product * TOLERANCE * TOLERANCE);
  for (let step = 0; step < maxSteps && product > enough; step += STEPS_PER_CHECK) {
    signal.throwIfAborted();
    const steps = Math.min(STEPS_PER_CHECK, maxSteps - step);
    product = kernels.descend(...parameters, image, steps, product, enough);
  }
}
