/** What a failed read of a multipart form means. */
import { PackshotError } from 'packshot-errors';

export const fileTooLarge = (maxFileBytes: number): PackshotError =>
  new PackshotError('file_too_large', `The file is larger than ${maxFileBytes} bytes.`);

/**
 * Returns unchanged the errors that `problem.ts` explains: too many parts, forbidden field names, and each
 * `PackshotError`. All other errors mean that the form is malformed.
 */
export function toFormError(error: unknown): unknown {
  if (error instanceof PackshotError || isOverLimit(error)) return error;
  if (codeOf(error) === 'FST_PROTO_VIOLATION') return error;
  return new PackshotError('missing_file', 'The form is not valid multipart/form-data or broke off.', {
    cause: error,
  });
}

/** Whether the form has more parts than the endpoint accepts. */
export const isOverLimit = (error: unknown): boolean => codeOf(error) === 'FST_PARTS_LIMIT';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
