/** Kysely's PostgreSQL dialect with our own errors, and with a lock for running one transaction alone. */
import {
  CompiledQuery,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE } from 'kysely/migration';
import type pg from 'pg';
import type { Schema } from './schema.ts';
import { isSilence, toStorageError } from './storage-errors.ts';

/**
 * If many serializable transactions want one row, such as the credits of a busy key, they could conflict without end.
 * So a transaction that met a conflict runs alone: it takes an exclusive lock on this table, on which every other
 * transaction holds a shared lock. It thus waits until the running transactions end, and new transactions wait for it.
 * Kysely creates the table, but does not lock it on PostgreSQL, where it takes an advisory lock instead. LOCK TABLE
 * takes no snapshot, so the transaction sees the rows as they are when it gets the lock.
 * https://www.postgresql.org/docs/current/sql-lock.html
 */
const turns = sql.table(DEFAULT_MIGRATION_LOCK_TABLE);
const shareOfTurns = `lock table ${DEFAULT_MIGRATION_LOCK_TABLE} in row share mode`;
/**
 * The access mode that marks a transaction that will take the exclusive lock; `read write` is PostgreSQL's default
 * anyway. Such a transaction must not take the shared lock first: two of them would deadlock.
 */
export const aloneMode = 'read write';

/** The first statement in `aloneMode`. If other transactions hang, throws an error that `isConflict` recognizes. */
export async function waitUntilAlone(transaction: Transaction<Schema>): Promise<void> {
  // Later transactions queue behind this one, for at most this many milliseconds.
  await sql`set local lock_timeout = 1000`.execute(transaction);
  await sql`lock table ${turns} in exclusive mode`.execute(transaction);
  await sql`set local lock_timeout to default`.execute(transaction);
}

export class GuardedPostgresDialect extends PostgresDialect {
  override createDriver() {
    const driver = super.createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = async (connection, settings) => {
      // Only a migration begins without an isolation level. At that time, the lock table may not exist yet.
      if (settings.isolationLevel === undefined) return begin(connection, settings);
      const start = `start transaction isolation level ${settings.isolationLevel}`;
      const share = settings.accessMode === aloneMode ? '' : `; ${shareOfTurns}`;
      await connection.executeQuery(CompiledQuery.raw(start + share));
    };
    const rollback = driver.rollbackTransaction.bind(driver);
    // A rollback fails if the connection is lost. The pool then discards the connection; the earlier error gives the
    // reason.
    driver.rollbackTransaction = (connection) => rollback(connection).catch(() => undefined);
    return driver;
  }
}

/** Wraps the pool, so that every error of the driver passes through `toStorageError`. */
export function guardPool(pool: pg.Pool, onError: (error: unknown) => void): PostgresPool {
  let away = false;
  // The server has closed an idle connection. The pool has already removed that connection.
  pool.on('error', (error) => {
    if (!away) onError(toStorageError(error));
    away = true;
  });
  pool.on('connect', (client) => {
    away = false;
    // The current or next statement on this connection rejects with the error. If there were no listener, the event
    // would end the process.
    client.on('error', () => undefined);
  });
  return {
    options: {},
    async connect() {
      try {
        return guardClient(await pool.connect());
      } catch (error) {
        throw toStorageError(error);
      }
    },
    end: () => pool.end(),
  };
}

/**
 * Replaces NUL in text, which PostgreSQL, unlike SQLite, does not accept. So a search for a name with NUL finds nothing
 * instead of failing.
 */
const toText = (parameter: unknown): unknown =>
  typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let silent = false;
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters.map(toText));
    } catch (error) {
      // Do not use the connection again: its late response could be taken for that of another query.
      if (isSilence(error)) silent = true;
      throw toStorageError(error);
    }
  };
  return {
    // Queries with cursors are not wrapped, because nothing here streams rows.
    query: query as unknown as PostgresPoolClient['query'],
    release: (broken?: boolean) => client.release(broken || silent),
  } as PostgresPoolClient;
}
