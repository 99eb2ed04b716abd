/** Errors of `/v1/segment` and `/v1/account`, in the format of Photoroom's basic API. */
import type { ErrorCode, PackshotError } from '../../errors.ts';
import { type Dialect, DialectRefusal, jsonFailure } from '../dialect.ts';

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

export const photoroom: Dialect = {
  name: 'photoroom',
  describeFailure(error) {
    const status = statusOf(error);
    return jsonFailure(status, { detail: error.message, status_code: status, type: typeOf(error) });
  },
};
