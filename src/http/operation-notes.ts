/** Documentation of an operation in the API document beyond its schemas. */
import type { ErrorCode } from '../errors.ts';

export interface OperationNotes {
  readonly errors: readonly ErrorCode[];
  /** Describes the success response. */
  readonly answers: string;
  /** Whether it supports `If-None-Match` with 304, and sends validators and timings. */
  readonly picture?: true;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly once?: true;
  /** Whether credits are spent. */
  readonly charged?: true;
  /** Whether no key is needed. */
  readonly open?: true;
  /** Name and description of an additional response header. */
  readonly header?: readonly [name: string, description: string];
  /** For a drop-in interface with its own error format: the meaning of each status. */
  readonly failures?: Readonly<Record<number, string>>;
  /** Example of such an error. */
  readonly failure?: unknown;
  /** Additional headers of the success response, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Example request body and response; absent if they are not JSON. */
  readonly request?: unknown;
  readonly response?: unknown;
}
