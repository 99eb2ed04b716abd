/** Reads many rows as they were at one moment, while others go on writing. */
import { sql } from 'kysely';
import type { Database, OpenDatabase } from './database.ts';

/** The moment is that of the first read. A transaction of the usual kind would keep SQLite's writers waiting. */
const begin = {
  sqlite: 'begin deferred',
  postgres: 'begin transaction isolation level repeatable read read only',
} as const;

/** Nothing can be written through `snapshot`. */
export function readSnapshot<T>(
  { kind, database }: Pick<OpenDatabase, 'kind' | 'database'>,
  read: (snapshot: Database) => Promise<T>,
): Promise<T> {
  return database.connection().execute(async (snapshot) => {
    await sql.raw(begin[kind]).execute(snapshot);
    try {
      // Between two reads whoever takes them down may wait for a disk of theirs, and keeps nobody waiting.
      if (kind === 'postgres') await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot);
      return await read(snapshot);
    } finally {
      // A connection that died has ended it already.
      await sql`rollback`.execute(snapshot).catch(() => undefined);
    }
  });
}
