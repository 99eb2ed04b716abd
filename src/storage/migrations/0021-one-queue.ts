/**
 * One queue for both databases: job claims, job inputs, and results of remote calls. On PostgreSQL, moves the jobs
 * from pg-boss, which ran them before, and drops its schema: processes of the previous release then fail instead of
 * enqueuing jobs that nothing runs.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  for (const name of ['claim', 'input']) await schema.alterTable('jobs').addColumn(name, 'text').execute();
  await schema.alterTable('jobs').addColumn('touched_at', 'bigint').execute();
  for (const name of ['pauses', 'deaths'])
    await schema
      .alterTable('jobs')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await schema
    .createIndex('jobs_touched')
    .on('jobs')
    .column('touched_at')
    .where(sql.ref('touched_at'), 'is not', null)
    .execute();
  await schema
    .createTable('call_results')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.dropTable('errands').execute();
  if (database.getExecutor().adapter instanceof PostgresAdapter) await moveJobs(database);
}

async function moveJobs(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('packshot_jobs.job') is not null as found`.execute(database);
  if (!rows[0]!.found) return;
  // Waits for open transactions of the previous release, so that their jobs are moved as well.
  await sql`lock table packshot_jobs.job in access exclusive mode`.execute(database);
  // Errands are not moved: the processes that waited for them have ended.
  await sql`
    insert into jobs (id, name, key, attempts, pauses, deaths, run_at, created_at, rank, account_id)
    select 'job_' || replace(id::text, '-', ''), name, singleton_key,
           coalesce((data->>'attempts')::int, 0), coalesce((data->>'pauses')::int, 0),
           coalesce((data->>'deaths')::int, 0),
           (extract(epoch from start_after) * 1000)::bigint, (extract(epoch from created_on) * 1000)::bigint,
           priority, nullif(group_id, 'all')
      from packshot_jobs.job
     where state <= 'active' and singleton_key is not null and name <> 'errand'
        on conflict do nothing`.execute(database);
  await sql`drop schema packshot_jobs cascade`.execute(database);
}
