/** Secrets that sign no more and are believed for a while yet. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('secrets').addColumn('verifies_until', 'bigint').execute();
}
