/** Reads many rows from one consistent snapshot while other connections write. */
import { sql } from 'kysely';
import type { Database, OpenDatabase } from './database.ts';

/** The snapshot is taken at the first read. On SQLite, the service's usual `begin immediate` would block writers. */
const begin = {
  sqlite: 'begin deferred',
  postgres: 'begin transaction isolation level repeatable read read only',
} as const;

/** `read` gets a connection to the snapshot, and must not write: writes fail on PostgreSQL, and are lost on SQLite. */
export function readSnapshot<T>(
  { kind, database }: Pick<OpenDatabase, 'kind' | 'database'>,
  read: (snapshot: Database) => Promise<T>,
): Promise<T> {
  return database.connection().execute(async (snapshot) => {
    await sql.raw(begin[kind]).execute(snapshot);
    try {
      // Between two reads, the consumer may wait for its own disk. An idle transaction that only reads blocks no other.
      if (kind === 'postgres') await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot);
      return await read(snapshot);
    } finally {
      // If the connection is lost, the transaction has already ended.
      await sql`rollback`.execute(snapshot).catch(() => undefined);
    }
  });
}
