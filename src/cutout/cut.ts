/** A cutout as the cutting process makes it, and how much work it may be. */
import type { SubjectFacts } from '../designs/subject.ts';
import type { StepTiming } from '../step-clock.ts';

/** The key of this job is the id of a design whose cutout can be better. */
export const improvementJob = 'improve-cutout';

export interface CutExtent {
  /** When the cutout should be finished, in milliseconds of the clock; as long as it takes where left out. */
  readonly dueAt?: number | undefined;
  /** As an earlier cut of the same photo did. */
  readonly leaveOut?: readonly string[] | undefined;
}

export interface Cut {
  readonly cutoutPng: Uint8Array;
  readonly mattePng: Uint8Array;
  readonly subject: SubjectFacts;
  readonly cutoutVersion: string;
  readonly timings: readonly StepTiming[];
  /** See `ReadyDesign`. */
  readonly leftOut: readonly string[];
}
