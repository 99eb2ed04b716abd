/** What is known of the product in a photo, once its cutout is made. */
import type { Box } from '../pixels.ts';

export type Edge = 'top' | 'right' | 'bottom' | 'left';

export type SubjectIssueCode = 'uncertain_outline' | 'touches_frame' | 'several_parts' | 'small_subject';

export interface SubjectIssue {
  readonly code: SubjectIssueCode;
  /** What was seen and what would help, in words for the person who took the photo. */
  readonly detail: string;
  /** Where, in source pixels. */
  readonly box?: Box;
}

export interface SubjectFacts {
  /** In source pixels; holds every pixel of which at least 3 % is subject. */
  readonly boundingBox: Box;
  /** The subject's share of the photo, 0 to 1. */
  readonly coverage: number;
  /** Sides of the photo that cut the subject off. */
  readonly touchesEdges: readonly Edge[];
  /** 1 where nearly every pixel is clearly subject or clearly not, towards 0 where the engine was guessing. */
  readonly confidence: number;
  readonly issues: readonly SubjectIssue[];
}

/** What the product is taken for, and how it wants to be set up. */
export interface ProductFacts {
  /** A top-level category of Google's product taxonomy, or `Unknown`. */
  readonly kind: string;
  /** Such as `upright-tall` or `garment`. */
  readonly staging: string;
  /** 0 to 1; 1 only for the uploader's own word. */
  readonly confidence: number;
  /** Why, for people. */
  readonly because: string;
}
