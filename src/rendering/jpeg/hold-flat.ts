/** Quantises one block so that its flat pixels decode to exactly the flat value. */
import { restoreBlock, transformBlock } from './block-transform.ts';

export interface HeldBlock {
  /** Samples less 128, row-major. Overwritten. */
  readonly samples: Float32Array;
  /** 1 where the pixel must come out as `level`. */
  readonly flat: Uint8Array;
  /** Less 128. At -128 and 127 the decoder clips, so values beyond are as good. */
  readonly level: number;
  /** Quantiser steps, row-major. */
  readonly steps: Uint8Array;
}

/** A decoder rounds at 0.5; integer transforms are off by up to a few hundredths. */
const TOLERANCE = 0.43;

/** Where a correction aims: inside the tolerance, so that the next rounding does not throw it out again. */
const AIM = 0.2;

/** Rounds of feedback into the samples, then single steps of single coefficients. More brought nothing. */
const FEEDBACK_ROUNDS = 10;
const STEP_ROUNDS = 60;

/**
 * Projections onto convex sets (Youla and Webb 1982) between "flat pixels at their level" and "whole multiples of the
 * steps", then coordinate descent on what is left. Pixels that are not flat start from their own values and give way.
 * Writes the multiples, row-major, into `quantised`; returns how many flat pixels still miss.
 */
export function holdFlat(block: HeldBlock, quantised: Float32Array): number {
  const { samples, steps } = block;
  const work = new Float32Array(64);
  const push = new Float32Array(64);
  let misses = 64;
  for (let round = 0; round < FEEDBACK_ROUNDS && misses > 0; round++) {
    work.set(samples);
    transformBlock(work);
    for (let k = 0; k < 64; k++) {
      quantised[k] = Math.round(work[k]! / steps[k]!);
    }
    misses = measureMisses(block, quantised, work, push);
    for (let i = 0; i < 64; i++) {
      samples[i] = samples[i]! + push[i]!;
    }
  }
  let cost = sumOfSquares(push);
  for (let round = 0; round < STEP_ROUNDS && misses > 0; round++) {
    const next = takeStep(block, quantised, push, cost);
    if (next === undefined) {
      break;
    }
    cost = next.cost;
    misses = next.misses;
  }
  return misses;
}

/** How many candidates a step tries in full, in order of their first-order promise. */
const CANDIDATES = 6;

/** Moves the one coefficient by one step that lowers the misses most; `push` is then that of the new state. */
function takeStep(
  block: HeldBlock,
  quantised: Float32Array,
  push: Float32Array,
  cost: number,
): { cost: number; misses: number } | undefined {
  const slope = Float32Array.from(push);
  transformBlock(slope);
  const work = new Float32Array(64);
  const trial = new Float32Array(64);
  const order = Array.from(slope.keys()).sort((a, b) => Math.abs(slope[b]!) - Math.abs(slope[a]!));
  for (const k of order.slice(0, CANDIDATES)) {
    const move = Math.sign(slope[k]!);
    quantised[k] = quantised[k]! + move;
    const misses = measureMisses(block, quantised, work, trial);
    const trialCost = sumOfSquares(trial);
    if (trialCost < cost) {
      push.set(trial);
      return { cost: trialCost, misses };
    }
    quantised[k] = quantised[k]! - move;
  }
  return undefined;
}

/** Decodes into `work`, writes the needed correction of each flat pixel into `push` and counts those out of tolerance. */
function measureMisses(
  { flat, level, steps }: HeldBlock,
  quantised: Float32Array,
  work: Float32Array,
  push: Float32Array,
): number {
  for (let k = 0; k < 64; k++) {
    work[k] = quantised[k]! * steps[k]!;
  }
  restoreBlock(work);
  let misses = 0;
  for (let i = 0; i < 64; i++) {
    push[i] = 0;
    if (flat[i] === 0) {
      continue;
    }
    const error = work[i]! - level;
    const clipped = (level === 127 && error > 0) || (level === -128 && error < 0);
    if (!clipped && Math.abs(error) > TOLERANCE) {
      misses++;
      push[i] = Math.sign(error) * AIM - error;
    }
  }
  return misses;
}

function sumOfSquares(values: Float32Array): number {
  let sum = 0;
  for (const value of values) {
    sum += value * value;
  }
  return sum;
}
