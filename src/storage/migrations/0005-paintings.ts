/** Pictures that an illustration engine paints of a planned scene, and the briefs they are made from. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('illustrations').addColumn('brief', 'text').execute();

  await database.schema
    .createTable('paintings')
    .addColumn('illustration_id', 'text', (column) =>
      column.primaryKey().references('illustrations.id').onDelete('cascade'),
    )
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('engine', 'text', (column) => column.notNull())
    .addColumn('engine_version', 'text', (column) => column.notNull())
    .addColumn('made', 'text')
    .addColumn('failure', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  // Separate from the paintings, which are deleted with their designs: spending must stay on record.
  await database.schema
    .createTable('engine_calls')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('engine', 'text', (column) => column.notNull())
    .addColumn('cost_usd', 'double precision', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('engine_calls_spent')
    .on('engine_calls')
    .columns(['key_id', 'created_at'])
    .execute();
}
