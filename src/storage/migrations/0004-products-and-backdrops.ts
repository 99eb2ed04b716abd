/** Product metadata, and backdrops uploaded by callers. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('designs').addColumn('file_name', 'text').execute();
  await database.schema.alterTable('designs').addColumn('kind_hint', 'text').execute();
  await database.schema.alterTable('designs').addColumn('product', 'text').execute();

  await database.schema
    .createTable('backdrops')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('image', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await database.schema.createIndex('backdrops_expiry').on('backdrops').column('expires_at').execute();
}
