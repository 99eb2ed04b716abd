/**
 * Migrates a database to the newest schema, and never back.
 *
 * During a rolling upgrade on PostgreSQL, nodes of this release and of the previous one run side by side. So a
 * migration only adds tables, indexes, and columns that are nullable or have a default. It never renames, drops or
 * narrows what the previous release reads or writes; a later release may do so.
 */
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { PackshotError } from 'packshot-errors';
import * as schema from './migrations/0001-schema.ts';
import * as looks from './migrations/0002-looks.ts';
import * as cutoutHistory from './migrations/0003-cutout-history.ts';
import * as pictureSources from './migrations/0004-picture-sources.ts';
import * as photoWishes from './migrations/0005-photo-wishes.ts';
import * as projects from './migrations/0006-projects.ts';

/** Migrations in the order in which they run. A migration that was released is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-schema': schema,
  '0002-looks': looks,
  '0003-cutout-history': cutoutHistory,
  '0004-picture-sources': pictureSources,
  '0005-photo-wishes': photoWishes,
  '0006-projects': projects,
};

/** Whether the schema is from before the first release: the first of the 21 migrations of that time is applied. */
export const isPrerelease = (executed: readonly string[]): boolean => executed.includes('0001-initial');

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature; migrations run before there is a schema.
type AnyDatabase = Kysely<any>;

const openMigrator = (database: AnyDatabase, known: Record<string, Migration>) =>
  new Migrator({ db: database, provider: { getMigrations: async () => known } });

/**
 * Runs all pending migrations in one transaction. If several processes start, one migrates while the others wait.
 * Returns the names of those applied migrations that only a newer release knows. Throws `storage_unavailable` for a
 * database from before the first release.
 */
export async function migrateDatabase(database: AnyDatabase, known = migrations): Promise<string[]> {
  for (;;) {
    const executed = await listExecuted(database);
    refusePrerelease(executed);
    const unknown = executed.filter((name) => !(name in known));
    if (Object.keys(known).every((name) => executed.includes(name))) return unknown;
    // Leave the schema of a newer release as it is, because this release works with it.
    const made = Object.fromEntries(unknown.map((name) => [name, { up: async () => undefined }]));
    const { error } = await openMigrator(database, { ...known, ...made }).migrateToLatest();
    if (!error) return unknown;
    // If another process has applied migrations in the meantime, try again; otherwise, a retry would also fail.
    if ((await listExecuted(database)).length === executed.length) throw error;
  }
}

/** Names of the pending migrations. Throws `storage_unavailable` for a database from before the first release. */
export async function listPendingMigrations(database: AnyDatabase): Promise<string[]> {
  refusePrerelease(await listExecuted(database));
  const all = await openMigrator(database, migrations).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Returns the names of all applied migrations, including those that this release does not know. */
export async function listExecuted(database: AnyDatabase): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await database.selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute();
  return rows.map(({ name }) => name);
}

const prereleaseMessage =
  'The database is from before the first release. Export it with the version that made it (`packshot export FOLDER`), and import the folder with this version into an empty DATA_DIR or DATABASE_URL.';

function refusePrerelease(executed: readonly string[]): void {
  if (!isPrerelease(executed)) return;
  throw new PackshotError('storage_unavailable', prereleaseMessage, { lasting: true });
}
