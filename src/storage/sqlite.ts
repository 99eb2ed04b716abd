/** Rows in one SQLite file in the data folder, durable after every commit. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { createLogSync, type LogSync } from './log-sync.ts';
import { listPendingMigrations } from './migrate.ts';
import { openPrivate } from './open-private.ts';
import type { Schema } from './schema.ts';
import { storageUnavailable, toStorageError } from './storage-errors.ts';

const fileIn = (dataDir: string) => join(dataDir, 'packshot.db');

/** Does not migrate the database. Throws `storage_unavailable` or `storage_full`. */
export function openSqlite(dataDir: string): Kysely<Schema> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = fileIn(dataDir);
    const connection = openPrivate(path);
    // A write must survive a power cut once it is acknowledged: this driver syncs the write-ahead log after each
    // commit. On file systems without support for that log, SQLite itself syncs during the commit.
    const hasLog = connection.pragma('journal_mode = WAL', { simple: true }) === 'wal';
    connection.pragma(`synchronous = ${hasLog ? 'NORMAL' : 'FULL'}`);
    connection.pragma('foreign_keys = ON');
    // While the service runs, the command line may hold the write lock for a moment.
    connection.pragma('busy_timeout = 2000');
    const log = hasLog ? createLogSync(`${path}-wal`) : undefined;
    return new Kysely<Schema>({ dialect: new GuardedSqliteDialect(connection, log) });
  } catch (error) {
    throw toStorageError(error);
  }
}

export const hasSqlite = (dataDir: string): boolean => existsSync(fileIn(dataDir));

/** Only reads. Returns undefined if there is no database yet. */
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

/** Runs migrations in a transaction: SQLite supports transactional DDL, although Kysely says that it does not. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /**
   * True although there is only one connection: otherwise, Kysely would schedule its use, and keep it busy until each
   * commit is synced to disk. `SyncedDriver` schedules the connection instead.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class GuardedSqliteDialect extends SqliteDialect {
  readonly #connection: SqliteDatabase.Database;
  readonly #log: LogSync | undefined;

  constructor(connection: SqliteDatabase.Database, log?: LogSync) {
    super({ database: connection });
    this.#connection = connection;
    this.#log = log;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): Driver {
    return guardCalls(new SyncedDriver(super.createDriver(), this.#connection, this.#log));
  }
}

/** Runs transactions one by one. Each resolves once its commit is synced; meanwhile, the next one runs. */
class SyncedDriver implements Driver {
  readonly #driver: Driver;
  readonly #database: SqliteDatabase.Database;
  readonly #log: LogSync | undefined;
  /** Resolves when the connection is free again. */
  #turn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;
  #wrote = false;

  constructor(driver: Driver, database: SqliteDatabase.Database, log: LogSync | undefined) {
    this.#driver = driver;
    this.#database = database;
    this.#log = log;
  }

  init = (): Promise<void> => this.#driver.init();

  async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = promise;
    await before;
    this.#endTurn = resolve;
    const connection = await this.#driver.acquireConnection();
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const statement = this.#database.prepare(sql);
        if (!statement.readonly) this.#wrote = true;
        if (statement.reader) return { rows: statement.all(parameters) as Row[] };
        const { changes, lastInsertRowid } = statement.run(parameters);
        return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
      },
      streamQuery: connection.streamQuery.bind(connection),
    };
  }

  async releaseConnection(): Promise<void> {
    const wrote = this.#wrote;
    this.#wrote = false;
    this.#endTurn();
    if (!wrote) return;
    // Throw an error that can be retried: the rows are committed, but a power cut may still lose them.
    await this.#log?.sync().catch((error: unknown) => {
      throw storageUnavailable(error);
    });
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A deferred transaction that first reads and later writes fails at once if another process has written in between.
    // https://sqlite.org/lang_transaction.html, "Deferred, Immediate, And Exclusive Transactions".
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#wrote = false;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk or failed I/O ends the transaction. A rollback would then fail too, and hide the cause.
    // https://sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction".
    if (this.#database.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
    this.#wrote = false;
  }

  async destroy(): Promise<void> {
    // Wait for running work, so that its commits are also synced.
    await this.acquireConnection();
    await this.#log?.close();
    await this.#driver.destroy();
    this.#endTurn();
  }
}

/** Passes all errors of the driver and of its connections through `toStorageError`, except those of `streamQuery`. */
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
