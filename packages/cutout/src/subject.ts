/** What the cutout reveals about the product in a photo. */
import type { Box, Edge } from 'packshot-pixels';

export type SubjectIssueCode =
  | 'better_uncut'
  | 'uncertain_outline'
  | 'touches_frame'
  | 'several_parts'
  | 'small_subject'
  | 'low_resolution';

export interface SubjectIssue {
  readonly code: SubjectIssueCode;
  /** The observation and a remedy, for the person who took the photo. */
  readonly detail: string;
  /** The place of the issue, in pixels of the photo. */
  readonly box?: Box;
}

export interface DoubtfulPlace {
  /**
   * `separate_part`: the place is not connected to the rest of the cutout. `looks_differ`: one pass over the photo
   * classified the place as product, another as background.
   */
  readonly reason: 'separate_part' | 'looks_differ';
  /** In pixels of the photo. The corners of `outline`, a closed polygon, are in the same unit. */
  readonly box: Box;
  readonly outline: readonly (readonly [x: number, y: number])[];
  /** The correction that reverses the decision: erases a part of the cutout, or restores a missing part. */
  readonly part: { readonly mode: 'keep' | 'erase'; readonly x: number; readonly y: number };
}

export const photoKindNames = [
  'product',
  'worn',
  'close_up',
  'cover',
  'graphic',
  'cut_out',
  'several',
] as const;
export type PhotoKindName = (typeof photoKindNames)[number];

export interface PhotoKind {
  readonly name: PhotoKindName;
  /** 0 to 1; of a kind that a cutout ruins, the probability that the photo is of any such kind. */
  readonly probability: number;
}

export interface SubjectFacts {
  /** In pixels of the photo. Contains every pixel with at least 3 % coverage. */
  readonly boundingBox: Box;
  /** The subject's share of the photo, 0 to 1. */
  readonly coverage: number;
  /** Sides of the photo that crop the subject. */
  readonly touchesEdges: readonly Edge[];
  /** The probability, 0 to 1, that the cutout is good: that it lacks no part and includes nothing else. */
  readonly confidence: number;
  readonly issues: readonly SubjectIssue[];
  /** What the photo shows. Absent for a photo that was left as it is, and in facts from earlier versions. */
  readonly kind?: PhotoKind;
  /** Whether the photo was left as it is, because the caller asked for it. */
  readonly isUncut?: boolean;
  /**
   * Separate parts first, then places where passes differ, each list sorted from large to small. Facts from earlier
   * versions lack this field.
   */
  readonly doubtful?: readonly DoubtfulPlace[];
}
