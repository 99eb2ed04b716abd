/** Retired signing secrets that still verify for a limited time. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('secrets').addColumn('verifies_until', 'bigint').execute();
}
