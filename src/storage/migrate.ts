/** Brings a database to the newest shape; forward only. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';
import * as illustrations from './migrations/0002-illustrations.ts';
import * as presets from './migrations/0003-presets.ts';
import * as productsAndBackdrops from './migrations/0004-products-and-backdrops.ts';
import * as paintings from './migrations/0005-paintings.ts';
import * as idempotency from './migrations/0006-idempotency.ts';
import * as credits from './migrations/0007-credits.ts';
import * as eventsAndBatches from './migrations/0008-events-and-batches.ts';
import * as paintingTries from './migrations/0009-painting-tries.ts';

/** In order; a migration that has ever been released is never edited. */
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
};

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature; migrations precede any schema.
const openMigrator = (database: Kysely<any>, known = migrations) =>
  new Migrator({ db: database, provider: { getMigrations: async () => known } });

/** All that are to come and the notes of them happen together or not at all, even where the process is killed. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export async function migrateDatabase(database: Kysely<any>, known = migrations): Promise<void> {
  const { error } = await openMigrator(database, known).migrateToLatest();
  if (error) throw error;
}

/** Names of the migrations that are still to come. Changes nothing. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export async function listPendingMigrations(database: Kysely<any>): Promise<string[]> {
  const all = await openMigrator(database).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}
