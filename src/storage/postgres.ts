/** Rows in a PostgreSQL database that any number of processes can share. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { PackshotError } from 'packshot-errors';
import pg from 'pg';
import { listPendingMigrations, migrations } from './migrate.ts';
import { GuardedPostgresDialect, guardPool } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { toStorageError } from './storage-errors.ts';

/** Timeout on the server for each statement, in milliseconds; on a healthy server, even the slowest takes far less. */
const statementMs = 5_000;
/**
 * Timeout in this process, in milliseconds, for a server that does not respond. Slightly longer than the server's own
 * timeout, so that the server can cancel the statement first.
 */
const silenceMs = 6_000;
const connectMs = 5_000;
const oldestVersion = 15;

const { INT8, NUMERIC } = pg.types.builtins;

/** Settings of all connections of this service. */
export function postgresSettings(url: string) {
  return {
    connectionString: url,
    application_name: 'packshot',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Read integers as numbers: milliseconds, thousandths of credits and counts all stay below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Does not migrate the database; opens connections only when they are needed. */
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
    // If a process is suspended inside a transaction, its row locks are released after this time.
    idle_in_transaction_session_timeout: 10_000,
  });
  return new Kysely<Schema>({ dialect: new GuardedPostgresDialect({ pool: guardPool(pool, onError) }) });
}

/** For migrations, which may be slow or wait for another process: a connection without a statement timeout. */
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

/** Throws `storage_unavailable` if the server or the database does not meet the requirements. */
export async function checkPostgres(database: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; may_create: boolean }>`
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('server_encoding') as encoding,
           coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`.execute(database);
  const { version, encoding, may_create } = rows[0]!;
  if (version < oldestVersion) throw unfit(`is PostgreSQL ${version}, but must be ${oldestVersion} or newer`);
  if (encoding !== 'UTF8') throw unfit(`is encoded as ${encoding}, but must be UTF8`);
  if (!may_create) throw unfit('does not permit its user to create tables');
}

function unfit(fault: string): PackshotError {
  return new PackshotError('storage_unavailable', `The database of DATABASE_URL ${fault}.`);
}

/** Only reads. Returns undefined if the database has no tables yet. Throws `storage_unavailable`. */
export async function inspectPostgres(url: string) {
  return withPatientConnection(url, async (database) => {
    await checkPostgres(database);
    const pendingMigrations = await listPendingMigrations(database);
    if (pendingMigrations.length === Object.keys(migrations).length) return undefined;
    return { pendingMigrations, damage: [] };
  });
}

/** Returns whether `work` ran. It does not run while another call, in any process, holds the lock of this name. */
export async function tryAloneOnPostgres(
  url: string,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = new pg.Client({ ...postgresSettings(url), query_timeout: silenceMs });
  // The current or next statement rejects with the error of the lost connection.
  client.on('error', () => undefined);
  const guard = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
      throw toStorageError(error);
    });
  try {
    await guard(client.connect());
    // The lock belongs to the connection and ends with the connection, however the process ends.
    const { rows } = await guard(
      client.query<{ alone: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as alone', [
        `packshot ${name}`,
      ]),
    );
    if (!rows[0]!.alone) return false;
    await work();
    return true;
  } finally {
    await endClient(client);
  }
}

/** Ends the connection, without waiting for a server that does not respond. */
export async function endClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, pause(1_000, undefined, { ref: false })]);
}
