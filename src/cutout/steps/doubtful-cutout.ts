/** Step: computes the confidence of a cutout from its passes, and decides whether it is doubtful. */
import type { SubjectIssue } from '../../designs/subject.ts';
import type { Place } from './doubtful-places.ts';

/**
 * Confidence is 1 for a sharp matte on which all passes agree. It falls to 0 as the softness of the engine's
 * matte rises to `HOPELESS_SOFTNESS`, or as the agreement of two passes falls to `HOPELESS_AGREEMENT`. Among
 * 52 photos, cutouts with a confidence below one half are wrong more often than the others.
 */
const HOPELESS_SOFTNESS = 0.1;
const FULL_AGREEMENT = 0.985;
const HOPELESS_AGREEMENT = 0.8;
/** A cutout whose confidence is below this value is doubtful. */
export const DOUBTFUL = 0.5;

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

/** The confidence, 0 to 1. */
export function findConfidence({ softness, agreement }: Evidence): number {
  const sharpness = 1 - Math.min(1, softness / HOPELESS_SOFTNESS);
  const unity = (agreement - HOPELESS_AGREEMENT) / (FULL_AGREEMENT - HOPELESS_AGREEMENT);
  return sharpness * Math.min(1, Math.max(0, unity));
}

/** Returns `null` if no person needs to check the cutout. */
export function describeDoubt(evidence: Evidence): SubjectIssue | null {
  if (findConfidence(evidence) >= DOUBTFUL) return null;
  const [worst] = evidence.disputed;
  if (worst === undefined) {
    return {
      code: 'uncertain_outline',
      detail:
        'Parts of the product are hard to tell from the background. Check the cutout. A new photo on a background of a different color would help.',
    };
  }
  return {
    code: 'uncertain_outline',
    detail:
      'Two runs of the model disagree here on what is product and what is background. Check this part of the cutout. A new photo on a background of a different color would help.',
    box: worst.box,
  };
}
