/** Opens the rows: SQLite in the data folder, durable on every commit, migrated to the newest shape. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type Driver, Kysely, SqliteDialect, type Transaction } from 'kysely';
import { migrateDatabase } from './migrate.ts';
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

class GuardedSqliteDialect extends SqliteDialect {
  readonly #connection: SqliteDatabase.Database;

  constructor(connection: SqliteDatabase.Database) {
    super({ database: connection });
    this.#connection = connection;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
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
