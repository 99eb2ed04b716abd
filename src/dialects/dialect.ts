/** A dialect (a drop-in interface for clients of another service), as the rest of this service sees it. */
import { type ErrorCode, PackshotError } from '../errors.ts';

export type DialectName = 'removebg' | 'photoroom' | 'rembg';

interface Failure {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface Dialect {
  readonly name: DialectName;
  readonly describeFailure: (error: PackshotError) => Failure;
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

/** Pages of any site can call the service with a key, and read all response headers. Cookies are not used. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;
