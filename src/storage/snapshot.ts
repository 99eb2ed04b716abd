/** Reads many rows from one consistent snapshot while writes continue. */
import { sql } from 'kysely';
import type { Database, OpenDatabase } from './database.ts';

/** The snapshot is taken at the first read. A default transaction would block SQLite's writers. */
const begin = {
  sqlite: 'begin deferred',
  postgres: 'begin transaction isolation level repeatable read read only',
} as const;

/** `snapshot` is read-only. */
export function readSnapshot<T>(
  { kind, database }: Pick<OpenDatabase, 'kind' | 'database'>,
  read: (snapshot: Database) => Promise<T>,
): Promise<T> {
  return database.connection().execute(async (snapshot) => {
    await sql.raw(begin[kind]).execute(snapshot);
    try {
      // Between two reads the consumer may wait for its own disk. An idle read-only transaction blocks no other one.
      if (kind === 'postgres') await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot);
      return await read(snapshot);
    } finally {
      // A lost connection has already ended the transaction.
      await sql`rollback`.execute(snapshot).catch(() => undefined);
    }
  });
}
