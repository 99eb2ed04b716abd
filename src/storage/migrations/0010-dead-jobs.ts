/** Dead jobs, for operators to inspect; and an index for the order of the embedded queue. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('dead_jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('died_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('dead_jobs_age').on('dead_jobs').column('died_at').execute();

  // SQLite would prefer the old index and sort all waiting rows for each job: 10 ms with 100,000 waiting.
  await database.schema.dropIndex('jobs_due').execute();
  await database.schema
    .createIndex('jobs_turn')
    .on('jobs')
    .columns(['name', 'rank desc', 'created_at', 'run_at'])
    .execute();
}
