import { describe, expect, it } from 'vitest';
import type { PackshotError } from '../errors.ts';
import { toStorageError } from './storage-errors.ts';

const fault = (code: string) => Object.assign(new Error('/data/secret/path'), { code });

describe('a storage fault', () => {
  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])('%s is storage_full', (code) => {
    expect(toStorageError(fault(code))).toMatchObject({ code: 'storage_full', retryable: true });
  });

  it.each([
    'EROFS',
    'EIO',
    'EMFILE',
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_IOERR_FSYNC',
    'SQLITE_NOTADB',
  ])('%s is storage_unavailable', (code) => {
    expect(toStorageError(fault(code))).toMatchObject({ code: 'storage_unavailable', retryable: true });
  });

  it('keeps its cause for the log and its path from the caller', () => {
    const cause = fault('ENOSPC');
    const error = toStorageError(cause) as PackshotError;
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('/data');
  });

  it.each([
    fault('SQLITE_CONSTRAINT_UNIQUE'),
    fault('ERR_ENOSPC'),
    new Error('no code'),
    'a text',
    undefined,
  ])('is not what %s is: that comes back as it is', (error) => {
    expect(toStorageError(error)).toBe(error);
  });
});
