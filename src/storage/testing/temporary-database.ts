/** For tests: an empty database, on PostgreSQL if the run is configured for that, otherwise SQLite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, type DatabaseConfig, type OpenDatabase, openDatabase } from '../database.ts';
import { findGivenPostgres } from './postgres-server.ts';

export interface TemporaryDatabase extends Pick<OpenDatabase, 'database' | 'notices'> {
  /** Configuration with which a test can open the database a second time. */
  readonly config: DatabaseConfig;
  readonly dataDir: string;
  close(): Promise<void>;
}

export async function openTemporaryDatabase(
  /** `vitest.config.ts` sets the variable in the project that runs the same tests on PostgreSQL. */
  kind: string = process.env.PACKSHOT_TEST_DATABASE ?? 'sqlite',
): Promise<TemporaryDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  const config: DatabaseConfig =
    kind === 'postgres' ? { kind, url: await takeDatabase(), poolSize: 10 } : { kind: 'sqlite', dataDir };
  const { database, notices, close } = await openDatabase(config);
  if (kind === 'postgres') tables ??= (await database.introspection.getTables()).map(({ name }) => name);
  return {
    database,
    notices,
    config,
    dataDir,
    async close() {
      if (config.kind === 'postgres') await giveBack(config.url, database);
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** URLs of empty databases for reuse, because creating a database takes longer than most tests. */
const emptied: string[] = [];
/** The tables of each of these databases, read from the first one. */
let tables: readonly string[] | undefined;

async function takeDatabase(): Promise<string> {
  const server = findGivenPostgres();
  if (!server) throw new Error('No PostgreSQL server is configured for this test run.');
  return emptied.pop() ?? server.createDatabase();
}

async function giveBack(url: string, database: Database): Promise<void> {
  try {
    // Disables foreign keys, so that any order works; `truncate` would take fifty times as long. One query is one
    // transaction.
    const deletions = tables!.map((name) => `delete from "${name}"`);
    await sql.raw(['set local session_replication_role = replica', ...deletions].join(';')).execute(database);
    emptied.push(url);
  } catch {
    // The test has closed or broken the database, so do not reuse it.
  }
}
