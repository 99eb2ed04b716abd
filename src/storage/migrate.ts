/**
 * Migrates a database to the newest schema; forward only.
 *
 * On PostgreSQL, nodes of this release and the previous one run side by side during a rolling upgrade. So a
 * migration only adds tables, indexes, and columns that are nullable or have a default. It never renames,
 * drops or narrows what the previous release reads or writes; a later release may do that. `0021-one-queue`, which is
 * older than the first release, is the exception.
 */
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';
import * as illustrations from './migrations/0002-illustrations.ts';
import * as presets from './migrations/0003-presets.ts';
import * as productsAndBackdrops from './migrations/0004-products-and-backdrops.ts';
import * as paintings from './migrations/0005-paintings.ts';
import * as idempotency from './migrations/0006-idempotency.ts';
import * as credits from './migrations/0007-credits.ts';
import * as eventsAndBatches from './migrations/0008-events-and-batches.ts';
import * as paintingTries from './migrations/0009-painting-tries.ts';
import * as deadJobs from './migrations/0010-dead-jobs.ts';
import * as errands from './migrations/0011-errands.ts';
import * as rates from './migrations/0012-rates.ts';
import * as retiredSecrets from './migrations/0013-retired-secrets.ts';
import * as serviceFacts from './migrations/0014-service-facts.ts';
import * as accountsOfJobs from './migrations/0015-accounts-of-jobs.ts';
import * as ownersOfAnswers from './migrations/0016-owners-of-answers.ts';
import * as betterCutouts from './migrations/0017-better-cutouts.ts';
import * as photosOfBatches from './migrations/0018-photos-of-batches.ts';
import * as ratesOfKeys from './migrations/0019-rates-of-keys.ts';
import * as storedBytes from './migrations/0020-stored-bytes.ts';
import * as oneQueue from './migrations/0021-one-queue.ts';

/** In order; a released migration is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-illustrations': illustrations,
  '0003-presets': presets,
  '0004-products-and-backdrops': productsAndBackdrops,
  '0005-paintings': paintings,
  '0006-idempotency': idempotency,
  '0007-credits': credits,
  '0008-events-and-batches': eventsAndBatches,
  '0009-painting-tries': paintingTries,
  '0010-dead-jobs': deadJobs,
  '0011-errands': errands,
  '0012-rates': rates,
  '0013-retired-secrets': retiredSecrets,
  '0014-service-facts': serviceFacts,
  '0015-accounts-of-jobs': accountsOfJobs,
  '0016-owners-of-answers': ownersOfAnswers,
  '0017-better-cutouts': betterCutouts,
  '0018-photos-of-batches': photosOfBatches,
  '0019-rates-of-keys': ratesOfKeys,
  '0020-stored-bytes': storedBytes,
  '0021-one-queue': oneQueue,
};

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature; migrations precede any schema.
type AnyDatabase = Kysely<any>;

const openMigrator = (database: AnyDatabase, known: Record<string, Migration>) =>
  new Migrator({ db: database, provider: { getMigrations: async () => known } });

/**
 * Runs all pending migrations in one transaction. With several processes, one migrates while the others wait.
 * Returns the names of applied migrations that only a newer release knows.
 */
export async function migrateDatabase(database: AnyDatabase, known = migrations): Promise<string[]> {
  for (;;) {
    const executed = await listExecuted(database);
    const unknown = executed.filter((name) => !(name in known));
    if (Object.keys(known).every((name) => executed.includes(name))) return unknown;
    // Keep the schema of a newer release: this release works with it.
    const made = Object.fromEntries(unknown.map((name) => [name, { up: async () => undefined }]));
    const { error } = await openMigrator(database, { ...known, ...made }).migrateToLatest();
    if (!error) return unknown;
    // If no other process migrated meanwhile, a retry would fail again.
    if ((await listExecuted(database)).length === executed.length) throw error;
  }
}

/** Names of the pending migrations. Changes nothing. */
export async function listPendingMigrations(database: AnyDatabase): Promise<string[]> {
  const all = await openMigrator(database, migrations).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Names of the applied migrations, known to this release or not. */
export async function listExecuted(database: AnyDatabase): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await database.selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute();
  return rows.map(({ name }) => name);
}
