/**
 * Step: how probable it is that a cutout is good, and so whether it is called doubtful.
 *
 * After a coarse look, by a logistic model that was fitted on photos whose exact mattes are known; by a rule of thumb where
 * there was none, as in fast mode and with other engines.
 */
import type { SubjectIssue } from '../../designs/subject.ts';
import type { Box } from '../../pixels.ts';
import model from '../confidence.json' with { type: 'json' };
import { type LogisticModel, predictProbability } from '../logistic.ts';

/** Below this probability a person is told to look. */
const DOUBTFUL = 0.5;
/**
 * The rule of thumb gives 1 to a sharp matte on which all looks agree. It falls to 0 at this softness of the engine's answer,
 * and at this agreement between two looks: of 52 photos those that end below one half are wrong more often than the rest.
 */
const HOPELESS_SOFTNESS = 0.1;
const FULL_AGREEMENT = 0.985;
const HOPELESS_AGREEMENT = 0.8;
/** Keep logarithms of what is almost 0 apart, and no further than it tells something. */
const LEAST_SOFTNESS = 0.003;
const LEAST_CONTRADICTION = 0.003;

/** What the looks at the photo tell of their own worth. */
export interface Evidence {
  /** Of the engine's answer, before any repair, 0 to 1; see `measureSoftness`. */
  readonly softness: number;
  /** The least between two full looks at the photo, 0 to 1; 1 where there was one look. */
  readonly agreement: number;
  /** Of the first full look with the coarse one, 0 to 1; absent where there was none. */
  readonly coarseAgreement?: number;
  /** Where two looks contradict each other most, in source pixels. */
  readonly disputed: Box | null;
}

/** 0 to 1; after a coarse look the probability that at least 90 % of the cutout and the product overlap (IoU). */
export function findConfidence(evidence: Evidence): number {
  const numbers = describeEvidence(evidence);
  if (numbers !== null) return predictProbability(model.confidence satisfies LogisticModel, numbers);
  const sharpness = 1 - Math.min(1, evidence.softness / HOPELESS_SOFTNESS);
  const unity = (evidence.agreement - HOPELESS_AGREEMENT) / (FULL_AGREEMENT - HOPELESS_AGREEMENT);
  return sharpness * Math.min(1, Math.max(0, unity));
}

/** The numbers that the model weighs; `null` where there was no coarse look. */
export function describeEvidence({ softness, agreement, coarseAgreement }: Evidence) {
  if (coarseAgreement === undefined) return null;
  return {
    softness: Math.log10(softness + LEAST_SOFTNESS),
    contradiction: Math.log10(1 - agreement + LEAST_CONTRADICTION),
    coarseContradiction: Math.log10(1 - coarseAgreement + LEAST_CONTRADICTION),
  };
}

/** `null` where nobody needs to look. */
export function describeDoubt(evidence: Evidence): SubjectIssue | null {
  if (findConfidence(evidence) >= DOUBTFUL) return null;
  if (evidence.disputed === null) {
    return {
      code: 'uncertain_outline',
      detail:
        'Parts of the product are hard to tell from the background. Check the cutout; a background of another color helps.',
    };
  }
  return {
    code: 'uncertain_outline',
    detail:
      'Two looks at the photo disagree here on what is product and what is background. Check this part of the cutout; a background of another color helps.',
    box: evidence.disputed,
  };
}
