/** Caller presets as the operator defined them, and the keys that may use each. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('presets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();

  await database.schema
    .createTable('preset_grants')
    .addColumn('preset', 'text', (column) => column.notNull().references('presets.name').onDelete('cascade'))
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('preset_grants_pk', ['preset', 'key_id'])
    .execute();
  await database.schema.createIndex('preset_grants_key').on('preset_grants').column('key_id').execute();
}
