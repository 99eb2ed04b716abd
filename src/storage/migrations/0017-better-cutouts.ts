/** Provisional cutouts: their deadline, the stages left out, and the name of the improved cutout. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const [name, type] of [
    ['cutout_due_at', 'bigint'],
    ['cutout_left_out', 'text'],
    ['cutout_name', 'text'],
  ] as const) {
    await database.schema.alterTable('designs').addColumn(name, type).execute();
  }
}
