/** Errors in the formats of Photoroom's two APIs: `/v1/segment`, and the image API with `/v1/account` and `/v2`. */
import type { ErrorCode, PackshotError } from 'packshot-errors';
import { DialectRefusal, type Failure, jsonFailure } from '../failures.ts';

const keys: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'scope_denied'];

/** Photoroom uses 400 for all invalid requests. */
function statusOf(error: PackshotError): number {
  if (keys.includes(error.code)) return 403;
  return [413, 415, 422].includes(error.status) ? 400 : error.status;
}

const typeOf = (error: PackshotError): string => {
  if (error instanceof DialectRefusal) return error.words.code;
  return error.code === 'missing_file' ? 'missing_image' : error.code;
};

/** `code`: its `type` in the answer. */
export const refuse = (title: string, code = 'invalid_parameter'): DialectRefusal =>
  new DialectRefusal({ status: 400, code, title });
export const wrong = (name: string, what: string): DialectRefusal =>
  refuse(`The value of "${name}" must be ${what}.`);

function describe(error: PackshotError) {
  const status = statusOf(error);
  return { detail: error.message, status_code: status, type: typeOf(error) };
}

export const describeSegmentFailure = (error: PackshotError): Failure =>
  jsonFailure(statusOf(error), describe(error));

/** Some clients read `error.detail` of a 402, some `error.message` of every failure, and some the fields above. */
export const describeImageFailure = (error: PackshotError): Failure =>
  jsonFailure(statusOf(error), {
    error: { message: error.message, detail: error.message },
    ...describe(error),
  });
