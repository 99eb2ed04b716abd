/** What both conductors of cutouts ask the cutting process for. */
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

/** What the cutting process does with a photo. `photo` is the same name for the same bytes. */
export type CutTasks = {
  /** Throws what `cutSubject` and `readImage` throw. */
  cutSubject(input: {
    readonly photo: string;
    readonly bytes: Uint8Array;
    readonly extent: CutExtent;
  }): Promise<Cut>;
  /**
   * The cutout as good as it gets, with one look a call so that others get their turn between them; undefined where it
   * takes another one.
   */
  improveCutout(input: { readonly photo: string; readonly bytes: Uint8Array }): Promise<Cut | undefined>;
};

export interface Cut {
  readonly cutoutPng: Uint8Array;
  readonly mattePng: Uint8Array;
  readonly subject: SubjectFacts;
  readonly cutoutVersion: string;
  readonly timings: readonly StepTiming[];
  /** See `ReadyDesign`. */
  readonly leftOut: readonly string[];
}
