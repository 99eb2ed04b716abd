/** Bytes stored per account, and which illustrations were ever used. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ['designs', 'backdrops', 'batches']) {
    // The next sweep counts what was stored before this migration.
    await database.schema
      .alterTable(table)
      .addColumn('stored_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await database.schema
      .createIndex(`${table}_stored`)
      .on(table)
      .columns(['account_id', 'stored_bytes'])
      .execute();
  }
  await database.schema.alterTable('illustrations').addColumn('used_at', 'bigint').execute();
}
