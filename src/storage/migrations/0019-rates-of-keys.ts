/** A rate of a key's own; the service's rate where it has none. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('api_keys').addColumn('rate_per_second', 'double precision').execute();
  await database.schema.alterTable('api_keys').addColumn('rate_burst', 'integer').execute();
}
