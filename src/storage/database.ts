/** Opens and migrates the database: SQLite in the data folder, or a PostgreSQL that several processes share. */
import type { Kysely, Transaction } from 'kysely';
import { migrateDatabase } from './migrate.ts';
import { createLocalNotices, type Notices } from './notices.ts';
import {
  checkPostgres,
  inspectPostgres,
  openPostgres,
  tryAloneOnPostgres,
  withPatientConnection,
} from './postgres.ts';
import { openPostgresNotices } from './postgres-notices.ts';
import type { Schema } from './schema.ts';
import { hasSqlite, inspectSqlite, openSqlite } from './sqlite.ts';

export type Database = Kysely<Schema>;
/** Type for stores that can also run in a caller's transaction. */
export type DatabaseOrTransaction = Kysely<Schema> | Transaction<Schema>;

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly dataDir: string }
  /** `poolSize`: maximum connections in this process's pool; notices, locks and the queue have their own. */
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize: number };

export interface OpenDatabase {
  readonly kind: DatabaseConfig['kind'];
  readonly database: Database;
  readonly notices: Notices;
  /** Runs `work` unless another call or process holds the lock of that name. Returns whether `work` ran. */
  tryAlone(name: string, work: () => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
}

interface Options {
  /** Called with background errors, such as lost connections and notices that could not be sent. */
  readonly onError?: (error: unknown) => void;
}

/** Throws `storage_unavailable` if the database is unreachable or unsuitable. */
export async function openDatabase(config: DatabaseConfig, options: Options = {}): Promise<OpenDatabase> {
  const { onError = () => undefined } = options;
  return config.kind === 'sqlite'
    ? openSqliteDatabase(config, onError)
    : openPostgresDatabase(config, onError);
}

/** Opens the database for the duration of `work`. */
export async function withDatabase<T>(
  config: DatabaseConfig,
  work: (opened: OpenDatabase) => Promise<T>,
  options?: Options,
): Promise<T> {
  const opened = await openDatabase(config, options);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function openSqliteDatabase(
  { kind, dataDir }: DatabaseConfig & { kind: 'sqlite' },
  onError: (error: unknown) => void,
): Promise<OpenDatabase> {
  const database = openSqlite(dataDir);
  await migrateOrClose(database, () => migrateDatabase(database), onError);
  return {
    kind,
    database,
    notices: createLocalNotices(),
    async tryAlone(_, work) {
      await work();
      return true;
    },
    close: () => database.destroy(),
  };
}

async function openPostgresDatabase(
  config: DatabaseConfig & { kind: 'postgres' },
  onError: (error: unknown) => void,
): Promise<OpenDatabase> {
  const { kind, url } = config;
  const database = openPostgres(config, onError);
  const migrate = async () => {
    await checkPostgres(database);
    return withPatientConnection(url, (patient) => migrateDatabase(patient));
  };
  await migrateOrClose(database, migrate, onError);
  const notices = openPostgresNotices(database, { url, onError });
  return {
    kind,
    database,
    notices,
    tryAlone: (name, work) => tryAloneOnPostgres(url, name, work),
    async close() {
      await notices.close();
      await database.destroy();
    },
  };
}

async function migrateOrClose(
  database: Database,
  migrate: () => Promise<readonly string[]>,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    const unknown = (await migrate()).join(', ');
    if (unknown !== '')
      onError(
        new Error(`A newer release has migrated the database (${unknown}); this release keeps running.`),
      );
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

export interface DatabaseFacts {
  readonly pendingMigrations: readonly string[];
  /** Result of SQLite's integrity check; empty if the file is undamaged, and for PostgreSQL. */
  readonly damage: readonly string[];
}

/** Whether the database exists. A configured PostgreSQL database counts as existing. */
export function hasDatabase(config: DatabaseConfig): boolean {
  return config.kind === 'postgres' || hasSqlite(config.dataDir);
}

/** Inspects the database without changing it. Returns undefined if there is none yet. Throws `storage_unavailable`. */
export async function inspectDatabase(config: DatabaseConfig): Promise<DatabaseFacts | undefined> {
  return config.kind === 'sqlite' ? inspectSqlite(config.dataDir) : inspectPostgres(config.url);
}

/** Whether the database responds, for the readiness check. */
export async function pingDatabase(database: Database): Promise<boolean> {
  try {
    await database.selectFrom('accounts').select('id').limit(1).execute();
    return true;
  } catch {
    // The reason does not matter here: any failure means that the service is not ready.
    return false;
  }
}
