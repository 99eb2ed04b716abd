/** Which uploaded file of a batch an item uses. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('batch_items').addColumn('photo', 'integer').execute();
  await database.schema.alterTable('batch_items').addColumn('photo_name', 'text').execute();
}
