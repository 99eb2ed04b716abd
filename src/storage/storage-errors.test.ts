import { describe, expect, it } from 'vitest';
import type { PackshotError } from '../../packages/errors/index.ts';
import { isConflict, toStorageError } from './storage-errors.ts';

const fault = (code: string) => Object.assign(new Error('/data/secret/path'), { code });

describe('a storage fault', () => {
  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])('%s is storage_full', (code) => {
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
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    '08006',
    '57P01',
    '57P03',
    '53300',
    '57014',
    '25006',
    '40001',
  ])('%s is storage_unavailable', (code) => {
    expect(toStorageError(fault(code))).toMatchObject({ code: 'storage_unavailable', retryable: true });
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
  ])("without a code is recognized by the driver's message: %s", (words) => {
    expect(toStorageError(new Error(words))).toMatchObject({ code: 'storage_unavailable' });
  });

  it('is a conflict if PostgreSQL reports a serialization failure or a deadlock', () => {
    for (const code of ['40001', '40P01']) expect(isConflict(toStorageError(fault(code)))).toBe(true);
    expect(isConflict(toStorageError(fault('57014')))).toBe(false);
    expect(isConflict(fault('23505'))).toBe(false);
  });

  it('keeps its cause for the log, and hides paths from the caller', () => {
    const cause = fault('ENOSPC');
    const error = toStorageError(cause) as PackshotError;
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('/data');
  });

  it.each([
    fault('SQLITE_CONSTRAINT_UNIQUE'),
    fault('23505'),
    fault('42P01'),
    fault('ERR_ENOSPC'),
    new Error('no code'),
    'a text',
    undefined,
  ])('is not seen in %s, which is returned unchanged', (error) => {
    expect(toStorageError(error)).toBe(error);
  });
});
