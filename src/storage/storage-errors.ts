/** Tells a full disk from a missing one, for files and for the database alike. */
import { PackshotError } from '../errors.ts';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
/** The last three of the files' codes are folders that went away, or came, under a write. */
const unavailableCodes =
  /^(EROFS|EACCES|EPERM|EIO|EMFILE|ENFILE|ENOTDIR|ENODEV|ESTALE|ENOENT|EEXIST|ENOTEMPTY|SQLITE_(READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|BUSY|LOCKED|PROTOCOL).*)$/;

/** The caller's error for a storage fault; anything else comes back as it went in. */
export function toStorageError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (fullCodes.has(code)) {
    return new PackshotError('storage_full', 'There is no room left to keep this.', {
      cause: error,
      retryAfterS: 10,
    });
  }
  if (unavailableCodes.test(code)) {
    return new PackshotError('storage_unavailable', 'The storage cannot be reached or written just now.', {
      cause: error,
      retryAfterS: 5,
    });
  }
  return error;
}
