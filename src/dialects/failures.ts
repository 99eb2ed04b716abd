/** Failures in the terms of another service's interface. */
import { type ErrorCode, PackshotError } from 'packshot-errors';

/** A response, as the called service would send it. */
export interface Failure {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** An error in the terms of the called interface. */
export interface ForeignWords {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

/** An error with a dialect's own code and message; `code` of the base class is logged. */
export class DialectRefusal extends PackshotError {
  readonly words: ForeignWords;

  constructor(words: ForeignWords, { code = 'invalid_field', cause }: RefusalOptions = {}) {
    super(code, words.detail ?? words.title, { cause });
    this.words = words;
  }

  override get status(): number {
    return this.words.status;
  }
}

interface RefusalOptions {
  readonly code?: ErrorCode;
  readonly cause?: unknown;
}

export const jsonFailure = (status: number, body: unknown): Failure => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});
