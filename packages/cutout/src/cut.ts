/** A cutout as the cutting process returns it, and the limits on its work. */
import type { StepTiming } from 'packshot-pixels';
import type { SubjectFacts } from './subject.ts';

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

/** A cutout that is not stored yet. */
export type FreshCutout = Pick<Cut, 'cutoutPng' | 'subject'>;
