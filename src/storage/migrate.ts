/** Brings a database to the newest shape; forward only. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';
import * as illustrations from './migrations/0002-illustrations.ts';
import * as presets from './migrations/0003-presets.ts';
import * as productsAndBackdrops from './migrations/0004-products-and-backdrops.ts';
import * as paintings from './migrations/0005-paintings.ts';
import * as idempotency from './migrations/0006-idempotency.ts';

/** In order; a migration that has ever been released is never edited. */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-illustrations': illustrations,
  '0003-presets': presets,
  '0004-products-and-backdrops': productsAndBackdrops,
  '0005-paintings': paintings,
  '0006-idempotency': idempotency,
};

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature; migrations precede any schema.
export async function migrateDatabase(database: Kysely<any>): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
