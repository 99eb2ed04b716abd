/** SQLite files that other users cannot read: rows contain the secrets that sign illustration URIs and webhooks. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

/**
 * Opens the database. Creates a missing file itself, because SQLite would make it readable for everyone. The folder
 * does not always keep other users out: it may be a mounted volume, or made by an earlier `mkdir`. The files that
 * SQLite adds get the same mode.
 */
export function openPrivate(path: string, options?: SqliteDatabase.Options): SqliteDatabase.Database {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) shutOut(file);
  return new SqliteDatabase(path, options);
}

/** Removes the access of other users; the group keeps its access, which the operator may have granted. */
function shutOut(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o007) === 0) return;
  try {
    chmodSync(file, stats.mode & 0o770);
  } catch {
    // The file belongs to another user, who decides about its mode.
  }
}
