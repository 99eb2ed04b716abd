/** Step: computes the confidence of a cutout from its passes, and decides whether it is doubtful. */

import { findProbability } from '../passes/judge-passes.ts';
import type { SubjectIssue } from '../subject.ts';
import type { Place } from './doubtful-places.ts';

/**
 * A cutout whose confidence is below this value is doubtful. docs/quality.md shows how many good and bad cutouts this
 * threshold flags.
 */
export const DOUBTFUL = 0.55;

/**
 * These limits decide whether the passes are contested. Two factors are multiplied. The first falls from 1 to 0 as the
 * softness rises from 0 to `HOPELESS_SOFTNESS`; the second, as the agreement falls from `FULL_AGREEMENT` to
 * `HOPELESS_AGREEMENT`. If the result is below one half, the passes are contested. Only contested photos get a pass
 * from further away, which restored lost parts in 8 photos. The fitted confidence cannot replace this rule, because it
 * ignores lost parts.
 */
const HOPELESS_SOFTNESS = 0.1;
const FULL_AGREEMENT = 0.985;
const HOPELESS_AGREEMENT = 0.8;

/** Quality measures of the passes. */
export interface Evidence {
  /** Softness of the engine's matte before any repair, 0 to 1; see `measureSoftness`. */
  readonly softness: number;
  /** Lowest agreement between two passes, 0 to 1; 1 if there was only one pass. */
  readonly agreement: number;
  /**
   * Where passes contradict each other, in source pixels. The places of the two passes that agree least come
   * first; among the places of the same two passes, the largest comes first.
   */
  readonly disputed: readonly Place[];
}

/** Evidence of a matte that will not be changed by further passes. */
export interface FinalEvidence extends Evidence {
  /** See `measureFragments`. */
  readonly fragments: number;
}

/** Whether a pass that sees the product from further away may settle a doubt. */
export function isContested({ softness, agreement }: Evidence): boolean {
  const sharpness = 1 - Math.min(1, softness / HOPELESS_SOFTNESS);
  const unity = (agreement - HOPELESS_AGREEMENT) / (FULL_AGREEMENT - HOPELESS_AGREEMENT);
  return sharpness * Math.min(1, Math.max(0, unity)) < 0.5;
}

/** Returns `null` if no person needs to check the cutout. */
export function describeDoubt(evidence: FinalEvidence): SubjectIssue | null {
  if (findProbability(evidence) >= DOUBTFUL) return null;
  const [worst] = evidence.disputed;
  if (worst === undefined) {
    return {
      code: 'uncertain_outline',
      detail: 'Parts of the product are hard to tell from the background: check the cutout.',
    };
  }
  return {
    code: 'uncertain_outline',
    detail: 'Two runs of the model disagree here on what is product: check this part of the cutout.',
    box: worst.box,
  };
}
