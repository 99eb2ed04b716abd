/** The account of each job, so that accounts take turns in the queue. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('jobs').addColumn('account_id', 'text').execute();
  await database.schema
    .createIndex('jobs_account')
    .on('jobs')
    .columns(['name', 'account_id', 'rank'])
    .execute();
}
