/** What a failed read of a multipart form means. */
import { PackshotError } from '../errors.ts';

export const fileTooLarge = (maxFileBytes: number, cause?: unknown): PackshotError =>
  new PackshotError('file_too_large', `The file is larger than ${maxFileBytes} bytes.`, { cause });

/**
 * Returns unchanged the errors that `problem.ts` explains: too many parts, files or fields, forbidden field names, and
 * each `PackshotError`. A file that is too large becomes `file_too_large`; all other errors mean that the form is
 * malformed.
 */
export function toFormError(error: unknown, maxFileBytes: number): unknown {
  const code = codeOf(error);
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(maxFileBytes, error);
  if (error instanceof PackshotError || code === 'FST_PROTO_VIOLATION' || isOverLimit(error)) return error;
  return new PackshotError('missing_file', 'The form is not valid multipart/form-data or broke off.', {
    cause: error,
  });
}

/** Whether the form has more parts, files or fields than the endpoint accepts. */
export const isOverLimit = (error: unknown): boolean =>
  /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(codeOf(error));

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
