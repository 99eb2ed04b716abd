/** Quantises one block so that its flat pixels decode to exactly the flat value. */
import { restoreBlock, transformBlock } from './block-transform.ts';

export interface HeldBlock {
  /** Samples less 128, row-major. */
  readonly samples: Float32Array;
  /** 1 where the pixel must come out within `low` to `high`. */
  readonly flat: Uint8Array;
  /** Least and greatest whole value that the flat pixels may decode to, less 128; infinite where the decoder clips. */
  readonly low: number;
  readonly high: number;
  /** Quantiser steps, row-major. */
  readonly steps: Uint8Array;
  /** Whether to search on where the projections alone leave a pixel a level off: dear, and wanted on white and black. */
  readonly search: boolean;
}

/** A decoder rounds at 0.5; the integer transforms of libjpeg and its kin are off by less than 0.06. */
const TOLERANCE = 0.43;

/** Where a correction aims: inside the tolerance, so that the next rounding does not throw it out again. */
const AIM = 0.2;

/** Most blocks are done after three rounds of feedback into the samples; the rest take single steps of coefficients. */
const FEEDBACK_ROUNDS = 12;
const STEP_ROUNDS = 60;

/** How many coefficients a step tries, in order of their first-order promise, and how long one rests after its turn. */
const CANDIDATES = 10;
const REST_ROUNDS = 6;

/** The pixels of each coefficient's unit: 64 pictures of 64 pixels. */
const basis = Array.from({ length: 64 }, (_, k) => {
  const picture = new Float32Array(64);
  picture[k] = 1;
  restoreBlock(picture);
  return picture;
});

/**
 * A block with a handful of subject pixels among flat ones may have no solution near them. It is tried again with those
 * pixels moved this share of the way to the flat level; the last share, all of it, always has one.
 */
const RETREATS = [0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8, 1] as const;

/**
 * Projections onto convex sets (Youla and Webb 1982) between "flat pixels within their range" and "whole multiples of
 * the steps", then a tabu search (Glover 1989) over single steps. Pixels that are not flat start from their own
 * values and give way. Writes the multiples, row-major, into `quantised`; returns how many flat pixels still miss.
 */
export function holdFlat(block: HeldBlock, quantised: Float32Array): number {
  if (!block.search)
    return feedBack({ ...block, samples: Float32Array.from(block.samples) }, quantised).misses;
  const level = Number.isFinite(block.low) ? block.low : block.high;
  const samples = new Float32Array(64);
  let misses = 64;
  for (const retreat of RETREATS) {
    for (let i = 0; i < 64; i++) {
      samples[i] = level + (block.samples[i]! - level) * (1 - retreat);
    }
    misses = holdOnce({ ...block, samples }, quantised);
    if (misses === 0) {
      break;
    }
  }
  return misses;
}

/** As `holdFlat`, but overwrites the samples. */
function holdOnce(block: HeldBlock, quantised: Float32Array): number {
  const fedBack = feedBack(block, quantised);
  return fedBack.misses === 0 ? 0 : searchSteps(block, fedBack);
}

function feedBack(block: HeldBlock, quantised: Float32Array): SearchStart {
  const { samples, steps } = block;
  const pixels = new Float32Array(64);
  const push = new Float32Array(64);
  let misses = 64;
  for (let round = 0; round < FEEDBACK_ROUNDS && misses > 0; round++) {
    pixels.set(samples);
    transformBlock(pixels);
    for (let k = 0; k < 64; k++) {
      quantised[k] = Math.round(pixels[k]! / steps[k]!);
      pixels[k] = quantised[k]! * steps[k]!;
    }
    restoreBlock(pixels);
    misses = measurePush(block, pixels, push);
    for (let i = 0; i < 64; i++) {
      samples[i] = samples[i]! + push[i]!;
    }
  }
  return { quantised, pixels, push, misses };
}

interface SearchStart {
  readonly quantised: Float32Array;
  /** Decoded from `quantised`. */
  readonly pixels: Float32Array;
  readonly push: Float32Array;
  readonly misses: number;
}

function searchSteps(block: HeldBlock, { quantised, pixels, push, misses }: SearchStart): number {
  const restUntil = new Int16Array(64);
  const candidates = new Int8Array(CANDIDATES);
  const slope = new Float32Array(64);
  const best = Float32Array.from(quantised);
  let leastMisses = misses;
  for (let round = 1; round <= STEP_ROUNDS && leastMisses > 0; round++) {
    slope.set(push);
    transformBlock(slope);
    findCandidates(slope, restUntil, round, candidates);
    const k = chooseMove(block, pixels, slope, candidates);
    const sign = slope[k]! < 0 ? -1 : 1;
    quantised[k] = quantised[k]! + sign;
    restUntil[k] = round + REST_ROUNDS;
    const unit = basis[k]!;
    const change = sign * block.steps[k]!;
    for (let i = 0; i < 64; i++) {
      pixels[i] = pixels[i]! + change * unit[i]!;
    }
    const now = measurePush(block, pixels, push);
    if (now < leastMisses) {
      leastMisses = now;
      best.set(quantised);
    }
  }
  quantised.set(best);
  return leastMisses;
}

/** The coefficients of the steepest promise that do not rest, steepest first; -1 ends the list. */
function findCandidates(slope: Float32Array, restUntil: Int16Array, round: number, found: Int8Array): void {
  found.fill(-1);
  for (let k = 0; k < 64; k++) {
    if (restUntil[k]! >= round) continue;
    const promise = Math.abs(slope[k]!);
    let place = CANDIDATES;
    while (place > 0 && (found[place - 1]! < 0 || Math.abs(slope[found[place - 1]!]!) < promise)) place--;
    if (place === CANDIDATES) continue;
    found.copyWithin(place + 1, place, CANDIDATES - 1);
    found[place] = k;
  }
}

/** The single step after which the flat pixels miss by the least sum of squares, even if that is more than now. */
function chooseMove(
  block: HeldBlock,
  pixels: Float32Array,
  slope: Float32Array,
  candidates: Int8Array,
): number {
  let chosen = candidates[0]!;
  let leastCost = Number.POSITIVE_INFINITY;
  for (let n = 0; n < CANDIDATES && candidates[n]! >= 0; n++) {
    const k = candidates[n]!;
    const change = slope[k]! < 0 ? -block.steps[k]! : block.steps[k]!;
    const cost = costAfter(block, pixels, basis[k]!, change, leastCost);
    if (cost < leastCost) {
      leastCost = cost;
      chosen = k;
    }
  }
  return chosen;
}

/** Gives up early, with some value of at least `enough`, once the sum reaches it. */
function costAfter(
  block: HeldBlock,
  pixels: Float32Array,
  unit: Float32Array,
  change: number,
  enough: number,
): number {
  const { flat } = block;
  const [least, lowAim] = [block.low - TOLERANCE, block.low - AIM];
  const [most, highAim] = [block.high + TOLERANCE, block.high + AIM];
  let cost = 0;
  for (let i = 0; i < 64 && cost < enough; i++) {
    if (flat[i] !== 1) continue;
    const value = pixels[i]! + change * unit[i]!;
    if (value < least) cost += (lowAim - value) ** 2;
    else if (value > most) cost += (value - highAim) ** 2;
  }
  return cost;
}

/** Writes the correction that each flat pixel needs into `push` and counts the pixels out of tolerance. */
function measurePush({ flat, low, high }: HeldBlock, pixels: Float32Array, push: Float32Array): number {
  let misses = 0;
  for (let i = 0; i < 64; i++) {
    const value = pixels[i]!;
    push[i] = 0;
    if (flat[i] === 1 && (value < low - TOLERANCE || value > high + TOLERANCE)) {
      misses++;
      push[i] = value < low ? low - AIM - value : high + AIM - value;
    }
  }
  return misses;
}
