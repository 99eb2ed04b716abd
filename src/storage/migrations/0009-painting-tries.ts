/** The state of a painting's engine calls, so that none is paid for twice; and engine costs per day. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('paintings')
    .addColumn('asks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema.alterTable('paintings').addColumn('answer', 'text').execute();
  await database.schema.alterTable('paintings').addColumn('retry_at', 'bigint').execute();
  await database.schema.createIndex('paintings_state').on('paintings').columns(['state', 'key_id']).execute();

  await database.schema
    .alterTable('usage_days')
    .addColumn('engine_calls', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema
    .alterTable('usage_days')
    .addColumn('engine_cost_usd', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute();
}
