/** Rows in one file below the data folder: SQLite, durable on every commit. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { CompiledQuery, type Driver, Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { listPendingMigrations } from './migrate.ts';
import { openPrivate } from './open-private.ts';
import type { Schema } from './schema.ts';
import { toStorageError } from './storage-errors.ts';

const fileIn = (dataDir: string) => join(dataDir, 'packshot.db');

/** Not migrated yet. Throws `storage_unavailable` and `storage_full`. */
export function openSqlite(dataDir: string): Kysely<Schema> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const connection = openPrivate(fileIn(dataDir));
    // FULL syncs the log on every commit: what was acknowledged survives a power cut.
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // The command line may hold the write lock for a moment while the service runs.
    connection.pragma('busy_timeout = 2000');
    return new Kysely<Schema>({ dialect: new GuardedSqliteDialect(connection) });
  } catch (error) {
    throw toStorageError(error);
  }
}

export const hasSqlite = (dataDir: string): boolean => existsSync(fileIn(dataDir));

/** Looks without changing anything; undefined where there is no database yet. */
export async function inspectSqlite(dataDir: string) {
  const path = fileIn(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    const connection = new SqliteDatabase(path, { readonly: true, timeout: 2_000 });
    const database = new Kysely<Schema>({ dialect: new GuardedSqliteDialect(connection) });
    try {
      const rows = connection.pragma('quick_check(5)') as { quick_check: string }[];
      return {
        pendingMigrations: await listPendingMigrations(database),
        damage: rows.map((row) => row.quick_check).filter((line) => line !== 'ok'),
      };
    } finally {
      await database.destroy();
    }
  } catch (error) {
    throw toStorageError(error);
  }
}

/** SQLite changes tables in transactions as well, whatever Kysely says: migrations are to run in one. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class GuardedSqliteDialect extends SqliteDialect {
  readonly #connection: SqliteDatabase.Database;

  constructor(connection: SqliteDatabase.Database) {
    super({ database: connection });
    this.#connection = connection;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    // One that reads first and then writes would fail at once, and not wait, where another process wrote in between.
    // https://sqlite.org/lang_transaction.html, "Deferred, Immediate, And Exclusive Transactions".
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    };
    const rollback = driver.rollbackTransaction.bind(driver);
    // A full disk or failed I/O has ended the transaction already; a rollback then fails and hides why.
    // https://sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction".
    driver.rollbackTransaction = async (connection) => {
      if (this.#connection.inTransaction) await rollback(connection);
    };
    return guardCalls(driver);
  }
}

/** The one place where the driver's errors become ours: every call of the driver and its connections. */
function guardCalls<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      if (property === 'streamQuery') return member.bind(target);
      return async (...input: unknown[]) => {
        try {
          const output: unknown = await member.apply(target, input);
          return property === 'acquireConnection' ? guardCalls(output as object) : output;
        } catch (error) {
          throw toStorageError(error);
        }
      };
    },
  });
}
