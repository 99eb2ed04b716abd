/** What can be said of an operation in the API document beside its schemas. */
import type { ErrorCode } from '../errors.ts';

export interface OperationNotes {
  readonly errors: readonly ErrorCode[];
  /** Of the answer in the good case. */
  readonly answers: string;
  /** Whether it answers 304 to `If-None-Match`, and with validators and timings. */
  readonly picture?: true;
  /** Whether it takes an `Idempotency-Key`. */
  readonly once?: true;
  /** Whether credits are spent. */
  readonly charged?: true;
  /** Whether no key is needed. */
  readonly open?: true;
  /** Name of a response header of its own, and what it holds. */
  readonly header?: readonly [name: string, description: string];
  /** Of an interface of another service, whose failures have a shape of its own: what each status means. */
  readonly failures?: Readonly<Record<number, string>>;
  /** One of those. */
  readonly failure?: unknown;
  /** Headers of its own of the answer in the good case, and what they hold. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A request body, and the answer to it; neither where there is no JSON. */
  readonly request?: unknown;
  readonly response?: unknown;
}
