/** Opens the rows: SQLite in the data folder, durable on every commit, migrated to the newest shape. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { CompiledQuery, type Driver, Kysely, SqliteAdapter, SqliteDialect, type Transaction } from 'kysely';
import { listPendingMigrations, migrateDatabase } from './migrate.ts';
import type { Schema } from './schema.ts';
import { toStorageError } from './storage-errors.ts';

export type Database = Kysely<Schema>;
/** Where a store may be told to take part in somebody's transaction. */
export type DatabaseOrTransaction = Kysely<Schema> | Transaction<Schema>;

export async function openDatabase(dataDir: string): Promise<Database> {
  let connection: SqliteDatabase.Database;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    connection = new SqliteDatabase(join(dataDir, 'packshot.db'));
    // FULL syncs the log on every commit: what was acknowledged survives a power cut.
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // The command line may hold the write lock for a moment while the service runs.
    connection.pragma('busy_timeout = 2000');
  } catch (error) {
    throw toStorageError(error);
  }
  const database = new Kysely<Schema>({ dialect: new GuardedSqliteDialect(connection) });
  await migrateDatabase(database);
  return database;
}

export interface DatabaseFacts {
  readonly pendingMigrations: readonly string[];
  /** What SQLite finds wrong with the file; empty for a sound one. */
  readonly damage: readonly string[];
}

/** Looks without changing anything; undefined where there is no database yet. Throws `storage_unavailable`. */
export async function inspectDatabase(dataDir: string): Promise<DatabaseFacts | undefined> {
  const path = join(dataDir, 'packshot.db');
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

/** Whether the database answers; for readiness. */
export async function pingDatabase(database: Database): Promise<boolean> {
  try {
    await database.selectFrom('accounts').select('id').limit(1).execute();
    return true;
  } catch {
    // Any failure means the same to whoever asks: not now.
    return false;
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
