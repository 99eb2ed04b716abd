/** What the API document says about an operation beyond its schemas. */
import type { ErrorCode } from 'packshot-errors';

export interface OperationNotes {
  /**
   * Codes of the errors that the operation may return. Absent for a drop-in interface (one that imitates another
   * service's API, such as remove.bg's), which has `failures` instead.
   */
  readonly errors?: readonly ErrorCode[];
  /** Describes the success response. */
  readonly answers: string;
  /** Whether the operation returns a picture, with an ETag and timings, and supports `If-None-Match` with 304. */
  readonly picture?: true;
  /** Whether the operation accepts an `Idempotency-Key`. */
  readonly once?: true;
  /** Whether the operation spends credits. */
  readonly charged?: true;
  /** For a drop-in interface with an error format of its own: the meaning of each error status. */
  readonly failures?: Readonly<Record<number, string>>;
  /** Example of an error in that format. */
  readonly failure?: unknown;
  /** Additional headers of the success response, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Example of a JSON body, or of a form's fields without its file. `response` is that of a JSON response. */
  readonly request?: unknown;
  readonly response?: unknown;
}
