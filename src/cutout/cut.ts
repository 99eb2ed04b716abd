/** A cutout as the cutting process returns it, and the limits on its work. */
import type { SubjectFacts } from '../designs/subject.ts';
import type { StepTiming } from '../step-clock.ts';

/**
 * Name of the jobs that improve a cutout, and of those that later delete the replaced one. The key of an improvement is
 * the id of the design; the key of a deletion is the id with a suffix.
 */
export const improvementJob = 'improve-cutout';

export interface CutExtent {
  /** When the cutout should be finished, in milliseconds since 1970; default: no time limit. */
  readonly dueAt?: number | undefined;
  /** Stages to skip, because an earlier cut of the same photo skipped them. */
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
