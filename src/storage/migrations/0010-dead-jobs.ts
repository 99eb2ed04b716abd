/** Jobs that were given up, for people; and the embedded queue's jobs in the order of their turns. */
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

  // SQLite prefers the old one and then sorts all that wait for each job: 10 ms with 100,000 in line.
  await database.schema.dropIndex('jobs_due').execute();
  await database.schema
    .createIndex('jobs_turn')
    .on('jobs')
    .columns(['name', 'rank desc', 'created_at', 'run_at'])
    .execute();
}
