/** Step: how far a cutout can be trusted, by what its looks tell, and whether it is called doubtful. */
import type { SubjectIssue } from '../../designs/subject.ts';
import type { Place } from './doubtful-places.ts';

/**
 * Confidence is 1 for a sharp matte on which all looks agree. It falls to 0 at this softness of the engine's answer, and
 * at this agreement between two looks: of 52 photos those that end below one half are wrong more often than the rest.
 */
const HOPELESS_SOFTNESS = 0.1;
const FULL_AGREEMENT = 0.985;
const HOPELESS_AGREEMENT = 0.8;
const DOUBTFUL = 0.5;

/** What the looks at the photo tell of their own worth. */
export interface Evidence {
  /** Of the engine's answer, before any repair, 0 to 1; see `measureSoftness`. */
  readonly softness: number;
  /** The least between two looks at the photo, 0 to 1; 1 where there was one look. */
  readonly agreement: number;
  /** Where looks contradict each other, in source pixels: those two first, largest first. */
  readonly disputed: readonly Place[];
}

/** 0 to 1. */
export function findConfidence({ softness, agreement }: Evidence): number {
  const sharpness = 1 - Math.min(1, softness / HOPELESS_SOFTNESS);
  const unity = (agreement - HOPELESS_AGREEMENT) / (FULL_AGREEMENT - HOPELESS_AGREEMENT);
  return sharpness * Math.min(1, Math.max(0, unity));
}

/** `null` where nobody needs to look. */
export function describeDoubt(evidence: Evidence): SubjectIssue | null {
  if (findConfidence(evidence) >= DOUBTFUL) return null;
  const [worst] = evidence.disputed;
  if (worst === undefined) {
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
    box: worst.box,
  };
}
