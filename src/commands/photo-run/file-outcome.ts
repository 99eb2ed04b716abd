/** What became of a photo in a run. */
import type { CheckSummary } from '../../listing/check-listing.ts';
import type { Failure } from './run-files.ts';

export interface FileOutcome {
  /** As given on the command line. */
  readonly file: string;
  readonly state: 'done' | 'skipped' | 'failed';
  /** Path of the picture; null for standard output. */
  readonly output?: string | null;
  readonly ms?: number;
  readonly error?: Failure;
  /** Notes for the person who runs the command: things to check or to know. */
  readonly issues?: readonly Failure[];
  /** Verdicts of the listing check, one for each marketplace. */
  readonly checks?: readonly CheckSummary[] | undefined;
  /** Additional properties of the JSON line. */
  readonly facts?: object;
}
