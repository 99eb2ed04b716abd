/** Rate limits per key; null for the service's default. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('api_keys').addColumn('rate_per_second', 'double precision').execute();
  await database.schema.alterTable('api_keys').addColumn('rate_burst', 'integer').execute();
}
