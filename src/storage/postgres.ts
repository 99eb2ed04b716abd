/** Rows in a PostgreSQL that any number of processes share. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE } from 'kysely/migration';
import pg from 'pg';
import { PackshotError } from '../errors.ts';
import { listPendingMigrations, migrations } from './migrate.ts';
import type { Schema } from './schema.ts';
import { isSilence, toStorageError } from './storage-errors.ts';

/** No statement of ours takes longer on a server that is well; none is waited for after that. */
const statementMs = 5_000;
/** Where the server itself is silent, and cannot end the statement: a little longer, so that it may. */
const silenceMs = 6_000;
const connectMs = 5_000;
const oldestVersion = 15;

const { INT8, NUMERIC } = pg.types.builtins;

/** What all connections of this service have in common. */
export function postgresSettings(url: string) {
  return {
    connectionString: url,
    application_name: 'packshot',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Milliseconds, thousandths of credits and counts are all below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Not migrated yet, and not asked for anything: connections are made when they are needed. */
export function openPostgres(
  { url, poolSize }: { readonly url: string; readonly poolSize: number },
  onError: (error: unknown) => void,
): Kysely<Schema> {
  const pool = new pg.Pool({
    ...postgresSettings(url),
    max: poolSize,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    query_timeout: silenceMs,
    // A process that is stopped in a transaction keeps nobody from its rows for longer than this.
    idle_in_transaction_session_timeout: 10_000,
  });
  return new Kysely<Schema>({ dialect: new GuardedPostgresDialect({ pool: guardPool(pool, onError) }) });
}

/** For migrations, which may take their time, and wait for those of other processes. */
export async function withPatientConnection<T>(
  url: string,
  work: (database: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ ...postgresSettings(url), max: 2 });
  const database = new Kysely<Schema>({
    dialect: new GuardedPostgresDialect({ pool: guardPool(pool, () => undefined) }),
  });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** Throws `storage_unavailable` for a server or a database that this service cannot use. */
export async function checkPostgres(database: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; may_create: boolean }>`
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('server_encoding') as encoding,
           coalesce(has_schema_privilege(current_schema(), 'create'), false)
             and (has_database_privilege(current_database(), 'create')
                  or to_regnamespace('packshot_jobs') is not null) as may_create`.execute(database);
  const { version, encoding, may_create } = rows[0]!;
  if (version < oldestVersion)
    throw unfit(`is PostgreSQL ${version}, and has to be ${oldestVersion} or newer`);
  if (encoding !== 'UTF8') throw unfit(`is encoded as ${encoding}, and has to be UTF8`);
  if (!may_create) throw unfit('lets its user create no tables, or no schema for the jobs');
}

function unfit(fault: string): PackshotError {
  return new PackshotError('storage_unavailable', `The database of DATABASE_URL ${fault}.`);
}

/** Looks without changing anything; undefined where nothing was made yet. Throws `storage_unavailable`. */
export async function inspectPostgres(url: string) {
  return withPatientConnection(url, async (database) => {
    await checkPostgres(database);
    const pendingMigrations = await listPendingMigrations(database);
    if (pendingMigrations.length === Object.keys(migrations).length) return undefined;
    return { pendingMigrations, damage: [] };
  });
}

/** Whether `work` ran: it does not while another process is at work of this name. */
export async function tryAloneOnPostgres(
  url: string,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  // The lock is the connection's, and ends with it, however the process ends.
  return withPostgresClient(url, async (client) => {
    const { rows } = await client.query<{ alone: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as alone',
      [`packshot ${name}`],
    );
    if (!rows[0]!.alone) return false;
    await work();
    return true;
  });
}

async function withPostgresClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...postgresSettings(url), query_timeout: silenceMs });
  // What is lost with the connection the statement in work, or the next one, says.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error) => {
      throw toStorageError(error);
    });
    return await work(guardQueries(client));
  } finally {
    await endClient(client);
  }
}

/** Where the server is silent, it would be waited for until the network gives up. */
export async function endClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, pause(1_000, undefined, { ref: false })]);
}

function guardQueries(client: pg.Client): pg.Client {
  const query = client.query.bind(client) as (...input: unknown[]) => Promise<unknown>;
  client.query = ((...input: unknown[]) =>
    query(...input).catch((error) => {
      throw toStorageError(error);
    })) as typeof client.query;
  return client;
}

/**
 * Where many want the same row, such as the credits of one busy key, every other try of a transaction would be in vain,
 * and the unlucky would never be done. So whoever was in the way once waits for all other transactions, and those that
 * come then for it: each holds a share of the lock on this table, which nothing else uses on PostgreSQL. A lock is no
 * look at the rows: those are seen as they are afterwards. https://www.postgresql.org/docs/current/sql-lock.html
 */
const turns = sql.table(DEFAULT_MIGRATION_LOCK_TABLE);
const shareOfTurns = `lock table ${DEFAULT_MIGRATION_LOCK_TABLE} in row share mode`;
/**
 * The access mode, which is the usual one, of a transaction that is going to wait until it is alone: it holds no share.
 * Of two that did, each would wait for the other's.
 */
export const aloneMode = 'read write';

/** Before anything else of a transaction of `aloneMode`. Throws what `isConflict` knows where others hang. */
export async function waitUntilAlone(transaction: Transaction<Schema>): Promise<void> {
  // Those who come later wait behind us, and for no longer than that.
  await sql`set local lock_timeout = 1000`.execute(transaction);
  await sql`lock table ${turns} in exclusive mode`.execute(transaction);
  await sql`set local lock_timeout to default`.execute(transaction);
}

class GuardedPostgresDialect extends PostgresDialect {
  override createDriver() {
    const driver = super.createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = async (connection, settings) => {
      // Migrations set none, and have no table to lock yet.
      if (settings.isolationLevel === undefined) return begin(connection, settings);
      const start = `start transaction isolation level ${settings.isolationLevel}`;
      const share = settings.accessMode === aloneMode ? '' : `; ${shareOfTurns}`;
      await connection.executeQuery(CompiledQuery.raw(start + share));
    };
    const rollback = driver.rollbackTransaction.bind(driver);
    // It fails where the connection is gone: then it is not used again, and the error before says why.
    driver.rollbackTransaction = (connection) => rollback(connection).catch(() => undefined);
    return driver;
  }
}

/** The one place where the driver's errors become ours. */
function guardPool(pool: pg.Pool, onError: (error: unknown) => void): PostgresPool {
  let away = false;
  // Idle connections that the server ended; the pool has forgotten them. It ends all of them at once.
  pool.on('error', (error) => {
    if (!away) onError(toStorageError(error));
    away = true;
  });
  pool.on('connect', (client) => {
    away = false;
    // Those in use: their statement rejects, or the next one does. Unheard, the event would end the process.
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

/** PostgreSQL's text holds no NUL, and SQLite's does. Whoever looks for such a name is to find that there is none. */
const toText = (parameter: unknown): unknown =>
  typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let silent = false;
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters.map(toText));
    } catch (error) {
      // It may answer yet, and to somebody else.
      if (isSilence(error)) silent = true;
      throw toStorageError(error);
    }
  };
  return {
    // No cursors: nothing here streams rows.
    query: query as unknown as PostgresPoolClient['query'],
    release: (broken?: boolean) => client.release(broken || silent),
  } as PostgresPoolClient;
}
