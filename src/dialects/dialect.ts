/** What a foreign interface is to the rest of the service: paths of its own, and answers of its own to what fails. */
import { type ErrorCode, PackshotError } from '../errors.ts';

export type DialectName = 'removebg' | 'photoroom' | 'rembg';

export interface Failure {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface Dialect {
  readonly name: DialectName;
  readonly describeFailure: (error: PackshotError) => Failure;
}

/** What a refusal says in the words of the interface that was called. */
export interface ForeignWords {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

/** A refusal with words of its own; its code is what the log says of it. */
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

/** Pages of any site may call with a key, and read every header; cookies play no part. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;
