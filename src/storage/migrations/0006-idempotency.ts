/** Stored answers for idempotent requests. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('idempotent_answers')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text')
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_pk', ['key_id', 'path', 'idempotency_key'])
    .execute();
  await database.schema
    .createIndex('idempotent_answers_age')
    .on('idempotent_answers')
    .column('created_at')
    .execute();
}
