/** A cutout as the cutting process returns it, and the limits on its work. */
import type { SubjectFacts } from '../designs/subject.ts';
import type { StepTiming } from '../step-clock.ts';

/** The job key is the id of a design whose cutout can be improved. */
export const improvementJob = 'improve-cutout';

export interface CutExtent {
  /** When the cutout should be finished, in milliseconds of the clock; default: no time limit. */
  readonly dueAt?: number | undefined;
  /** Stages to skip, as an earlier cut of the same photo did. */
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
