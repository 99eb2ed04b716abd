/** SQLite files that only their owner may read: rows hold the secrets that sign illustration URIs and webhooks. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

/**
 * Makes the file where it is missing. SQLite itself would make it readable for everyone whose way is not barred by the
 * folder, which a volume or an earlier `mkdir` may leave open; the files that it puts beside it get the same mode.
 */
export function openPrivate(path: string, options?: SqliteDatabase.Options): SqliteDatabase.Database {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) shutOut(file);
  return new SqliteDatabase(path, options);
}

/** A group that the operator let in stays. */
function shutOut(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o007) === 0) return;
  try {
    chmodSync(file, stats.mode & 0o770);
  } catch {
    // Another user's file: theirs to protect.
  }
}
