/** Ensures that only one service at a time uses a data folder: two services would run each other's jobs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { openPrivate } from './open-private.ts';
import { toStorageError } from './storage-errors.ts';

/**
 * Holds an exclusive SQLite transaction on a file of its own, because the operating system releases its lock however
 * the process dies. Returns undefined if another process holds the lock.
 */
export function lockDataDir(dataDir: string): { release: () => void } | undefined {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = openPrivate(join(dataDir, 'service.lock'), { timeout: 0 });
    try {
      lock.pragma('locking_mode = EXCLUSIVE');
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))
        return undefined;
      throw error;
    }
    return { release: () => lock.close() };
  } catch (error) {
    throw toStorageError(error);
  }
}
