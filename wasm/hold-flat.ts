/**
 * Quantizes one block of a JPEG so that its flat pixels decode to exactly their value. Flat pixels are those that have
 * exactly the color of the picture's plain backdrop.
 */
import { restoreBlock, transformBlock } from './cosine-transform.ts';
import { restoreAsDecoder } from './integer-restore.ts';
import { highOf, levelOf, lowOf, searches, stepOf, steps } from './plane-settings.ts';

/**
 * Maximum error of a flat pixel during the search. A decoder rounds at 0.5, but its own transform adds an error;
 * `restoreAsDecoder` makes the final check.
 */
const TOLERANCE: f32 = 0.43;

/** Error that a correction aims at: well inside the tolerance, so that the next rounding does not exceed it again. */
const AIM: f32 = 0.2;

/**
 * Maximum numbers of rounds. In a feedback round, the block is quantized and decoded, and the samples of its flat
 * pixels are corrected by the errors found; three rounds solve most blocks. In each round of the search that may
 * follow, one coefficient changes by one step.
 */
const FEEDBACK_ROUNDS = 12;
const STEP_ROUNDS = 60;

/**
 * Number of coefficients tried per step, in order of their first-order gain. `REST_ROUNDS` is the number of steps for
 * which a changed coefficient may not change again.
 */
const CANDIDATES = 10;
const REST_ROUNDS = 6;

/**
 * A block with a few subject pixels among flat ones may have no solution near its values. It is tried again
 * with those pixels moved toward the flat level by each of these fractions in turn; the last fraction, 1, always
 * has a solution.
 */
const RETREATS = 12;
const retreats = memory.data<f32>([0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8, 1]);

/** Bytes of a block: 64 numbers of 4 bytes. */
const BLOCK: usize = 256;

/** For each pixel, all bits set if the pixel is flat, otherwise zero. */
export const flatMask: usize = memory.data(256, 16);

/** The block's coefficients as multiples of the quantization steps, found by `holdFlat`. */
export const held: usize = memory.data(256, 16);

const samples: usize = memory.data(256, 16);
/** Pixels decoded from `held`; before that, temporarily their coefficients. */
const pixels: usize = memory.data(256, 16);
/** The correction needed by each flat pixel. */
const push: usize = memory.data(256, 16);
const slope: usize = memory.data(256, 16);
const best: usize = memory.data(256, 16);
const restUntil: usize = memory.data(256, 16);
const candidates: usize = memory.data(40, 16);
const promises: usize = memory.data(40, 16);

/** For each coefficient, the pixels of a block in which it is 1 and all others are 0: 64 blocks. */
const basis: usize = memory.data(16384, 16);
for (let k: usize = 0; k < 64; k++) {
  store<f32>(basis + BLOCK * k + 4 * k, 1);
  restoreBlock(basis + BLOCK * k);
}

/**
 * Alternating projections onto convex sets (Youla and Webb 1982), "flat pixels within their range" and "whole
 * multiples of the steps", then a tabu search (Glover 1989) over single steps. Pixels that are not flat start
 * from their own values and may change. A solution counts only if a bit-exact simulation of a decoder
 * confirms it.
 */
export function holdFlat(plane: usize, block: usize): void {
  if (!searches(plane)) {
    copyBlock(samples, block);
    feedBack(plane);
    return;
  }
  const level = f32x4.splat(levelOf(plane));
  for (let n = 0; n < RETREATS; n++) {
    const rest = f32x4.splat(1 - load<f32>(retreats + 4 * n));
    for (let i: usize = 0; i < BLOCK; i += 16) {
      const own = f32x4.sub(v128.load(block + i), level);
      v128.store(samples + i, f32x4.add(level, f32x4.mul(own, rest)));
    }
    const misses = feedBack(plane);
    if (misses > 0 && searchSteps(plane, misses) > 0) continue;
    if (decodesFlat(plane)) return;
  }
}

/** Whether `held` decodes to the flat value in all flat pixels. Overwrites `pixels`. */
function decodesFlat(plane: usize): bool {
  for (let i: usize = 0; i < BLOCK; i += 16) {
    v128.store(pixels + i, f32x4.mul(v128.load(held + i), steps(plane, i)));
  }
  restoreAsDecoder(pixels);
  const low = f32x4.splat(lowOf(plane));
  const high = f32x4.splat(highOf(plane));
  let off = i32x4.splat(0);
  for (let i: usize = 0; i < BLOCK; i += 16) {
    const value = v128.load(pixels + i);
    const outside = v128.or(f32x4.lt(value, low), f32x4.gt(value, high));
    off = v128.or(off, v128.and(v128.load(flatMask + i), outside));
  }
  return !v128.any_true(off);
}

/**
 * The projections of `holdFlat`. Leaves their result in `held`, its decoded pixels in `pixels`, and the corrections
 * that these still need in `push`. Returns the number of flat pixels that are still out of tolerance.
 */
function feedBack(plane: usize): i32 {
  let misses = 64;
  for (let round = 0; round < FEEDBACK_ROUNDS && misses > 0; round++) {
    copyBlock(pixels, samples);
    transformBlock(pixels);
    for (let i: usize = 0; i < BLOCK; i += 16) {
      const step = steps(plane, i);
      const multiple = f32x4.nearest(f32x4.div(v128.load(pixels + i), step));
      v128.store(held + i, multiple);
      v128.store(pixels + i, f32x4.mul(multiple, step));
    }
    restoreBlock(pixels);
    misses = measurePush(plane);
    for (let i: usize = 0; i < BLOCK; i += 16) {
      v128.store(samples + i, f32x4.add(v128.load(samples + i), v128.load(push + i)));
    }
  }
  return misses;
}

function searchSteps(plane: usize, misses: i32): i32 {
  memory.fill(restUntil, 0, BLOCK);
  copyBlock(best, held);
  let leastMisses = misses;
  for (let round = 1; round <= STEP_ROUNDS && leastMisses > 0; round++) {
    copyBlock(slope, push);
    transformBlock(slope);
    const k = chooseMove(plane, findCandidates(round));
    const sign: f32 = load<f32>(slope + 4 * k) < 0 ? -1 : 1;
    store<f32>(held + 4 * k, load<f32>(held + 4 * k) + sign);
    store<i32>(restUntil + 4 * k, round + REST_ROUNDS);
    const change = f32x4.splat(sign * stepOf(plane, k));
    for (let i: usize = 0; i < BLOCK; i += 16) {
      const unit = v128.load(basis + BLOCK * k + i);
      v128.store(pixels + i, f32x4.add(v128.load(pixels + i), f32x4.mul(change, unit)));
    }
    const now = measurePush(plane);
    if (now < leastMisses) {
      leastMisses = now;
      copyBlock(best, held);
    }
  }
  copyBlock(held, best);
  return leastMisses;
}

/** Copies a block. The built-in copy is a call out of the module, which is expensive for so few bytes. */
function copyBlock(to: usize, from: usize): void {
  for (let i: usize = 0; i < BLOCK; i += 16) v128.store(to + i, v128.load(from + i));
}

/** Selects the coefficients with the largest gain that are not tabu, largest first; returns their number. */
function findCandidates(round: i32): i32 {
  let found = 0;
  for (let k: usize = 0; k < 64; k++) {
    const promise = abs(load<f32>(slope + 4 * k));
    if (found === CANDIDATES && promise <= load<f32>(promises + 4 * (CANDIDATES - 1))) continue;
    if (load<i32>(restUntil + 4 * k) >= round) continue;
    let place: usize = found < CANDIDATES ? found++ : CANDIDATES - 1;
    for (; place > 0 && load<f32>(promises + 4 * place - 4) < promise; place--) {
      store<f32>(promises + 4 * place, load<f32>(promises + 4 * place - 4));
      store<u32>(candidates + 4 * place, load<u32>(candidates + 4 * place - 4));
    }
    store<f32>(promises + 4 * place, promise);
    store<u32>(candidates + 4 * place, <u32>k);
  }
  return found;
}

/**
 * The single step that gives the smallest sum of squared errors of flat pixels, even if that sum is larger than
 * the current one.
 */
function chooseMove(plane: usize, found: i32): usize {
  let chosen: usize = load<u32>(candidates);
  let leastCost: f32 = Infinity;
  for (let n = 0; n < found; n++) {
    const k: usize = load<u32>(candidates + 4 * n);
    const step = stepOf(plane, k);
    const cost = costAfter(plane, basis + BLOCK * k, load<f32>(slope + 4 * k) < 0 ? -step : step);
    if (cost < leastCost) {
      leastCost = cost;
      chosen = k;
    }
  }
  return chosen;
}

function costAfter(plane: usize, unit: usize, change: f32): f32 {
  const low = lowOf(plane);
  const high = highOf(plane);
  const least = f32x4.splat(low - TOLERANCE);
  const lowAim = f32x4.splat(low - AIM);
  const most = f32x4.splat(high + TOLERANCE);
  const highAim = f32x4.splat(high + AIM);
  const changes = f32x4.splat(change);
  let cost = f32x4.splat(0);
  for (let i: usize = 0; i < BLOCK; i += 16) {
    const value = f32x4.add(v128.load(pixels + i), f32x4.mul(changes, v128.load(unit + i)));
    const below = v128.and(f32x4.lt(value, least), f32x4.sub(lowAim, value));
    const above = v128.and(f32x4.gt(value, most), f32x4.sub(value, highAim));
    const miss = v128.and(v128.load(flatMask + i), v128.or(below, above));
    cost = f32x4.add(cost, f32x4.mul(miss, miss));
  }
  return (
    f32x4.extract_lane(cost, 0) +
    f32x4.extract_lane(cost, 1) +
    (f32x4.extract_lane(cost, 2) + f32x4.extract_lane(cost, 3))
  );
}

/** Writes `push` and counts the pixels out of tolerance. */
function measurePush(plane: usize): i32 {
  const low = lowOf(plane);
  const high = highOf(plane);
  const least = f32x4.splat(low - TOLERANCE);
  const lowAim = f32x4.splat(low - AIM);
  const most = f32x4.splat(high + TOLERANCE);
  const highAim = f32x4.splat(high + AIM);
  let misses = 0;
  for (let i: usize = 0; i < BLOCK; i += 16) {
    const value = v128.load(pixels + i);
    const flat = v128.load(flatMask + i);
    const below = v128.and(flat, f32x4.lt(value, least));
    const above = v128.and(flat, f32x4.gt(value, most));
    misses += popcnt(i32x4.bitmask(v128.or(below, above)));
    v128.store(
      push + i,
      v128.or(v128.and(below, f32x4.sub(lowAim, value)), v128.and(above, f32x4.sub(highAim, value))),
    );
  }
  return misses;
}
