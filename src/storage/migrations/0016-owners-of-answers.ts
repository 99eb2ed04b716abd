/** The object that a stored answer is about, so that both are deleted together. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('idempotent_answers').addColumn('owner_id', 'text').execute();
  await database.schema
    .createIndex('idempotent_answers_owner')
    .on('idempotent_answers')
    .column('owner_id')
    .execute();
  await database.schema
    .createIndex('idempotent_answers_key')
    .on('idempotent_answers')
    .columns(['key_id', 'created_at'])
    .execute();
}
