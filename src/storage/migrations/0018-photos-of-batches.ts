/** Which of the files that came with a batch an item is made of. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('batch_items').addColumn('photo', 'integer').execute();
  await database.schema.alterTable('batch_items').addColumn('photo_name', 'text').execute();
}
