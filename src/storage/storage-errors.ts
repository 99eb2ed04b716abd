/** Classifies faults of files and databases: storage full, storage unavailable, conflict between transactions. */
import { PackshotError } from 'packshot-errors';

/** 53100 is disk_full. All PostgreSQL codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);
/** ENOENT, EEXIST and ENOTEMPTY mean that another call removed or created a folder during a write. */
const unavailableCodes =
  /^(EROFS|EACCES|EPERM|EIO|EMFILE|ENFILE|ENOTDIR|ENODEV|ESTALE|ENOENT|EEXIST|ENOTEMPTY|SQLITE_(READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|BUSY|LOCKED|PROTOCOL).*)$/;
const socketCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/;
/**
 * Connection lost (08), refused (28, 3D000, 42501) or ended by the server (57P, 25P03); server without resources (53)
 * or broken (58, XX001, XX002); read-only replica (25006); statement timeout (57014).
 */
const postgresCodes = /^(08...|28...|3D000|42501|57P..|25P03|53...|58...|XX00[12]|25006|57014)$/;
/** serialization_failure, deadlock_detected and lock_not_available: the transaction met a conflict; retry it. */
const conflictCodes = new Set(['40001', '40P01', '55P03']);
/** Messages of errors to which the driver gives no codes; see `pg/lib/client.js` and `pg-pool/index.js`. */
const driverWords =
  /^(Connection terminated|timeout e(xceeded|xpired)|Client (has encountered|was closed)|Query read timeout|Cannot use a pool|The server does not support SSL)/;

/** Maps a storage fault to the error for the caller; returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  const code = codeOf(error);
  if (fullCodes.has(code)) return storageFull(error);
  const isAway =
    unavailableCodes.test(code) ||
    socketCodes.test(code) ||
    postgresCodes.test(code) ||
    conflictCodes.has(code) ||
    (error instanceof Error && driverWords.test(error.message));
  return isAway ? storageUnavailable(error) : error;
}

export const storageFull = (cause: unknown): PackshotError =>
  new PackshotError('storage_full', 'There is not enough storage left.', { cause, retryAfterS: 10 });

export const storageUnavailable = (cause: unknown): PackshotError =>
  new PackshotError('storage_unavailable', 'The storage cannot be reached or written right now.', {
    cause,
    retryAfterS: 5,
  });

/** Whether the error means that a transaction met a conflict with another one, and may be retried. */
export function isConflict(error: unknown): boolean {
  return conflictCodes.has(codeOf(error instanceof PackshotError ? error.cause : error));
}

/** Whether a statement timed out in this process. Its response may still arrive on the same connection later. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout');
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
