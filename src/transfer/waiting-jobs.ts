/** A snapshot of waiting and running jobs: work for the next service. */
import { sql } from 'kysely';
import { noAccount, rankOf } from '../jobs/fair-turns.ts';
import type { Database, OpenDatabase } from '../storage/database.ts';
import { pageRows } from './line-files.ts';

export interface WaitingJob {
  readonly name: string;
  readonly key: string;
  /** Earliest start, in Unix milliseconds. */
  readonly runAt: number;
  readonly rank: number;
  /** Null if it belongs to no account; missing in archives of releases without accounts of jobs. */
  readonly accountId?: string | null;
}

/** Earlier tries are not exported: the next queue counts from none. */
export const readJobs = (
  kind: OpenDatabase['kind'],
  snapshot: Database,
): AsyncGenerator<readonly WaitingJob[]> =>
  kind === 'sqlite' ? readEmbeddedJobs(snapshot) : readPgBossJobs(snapshot);

async function* readEmbeddedJobs(snapshot: Database): AsyncGenerator<readonly WaitingJob[]> {
  for (let after = ''; ; ) {
    const rows = await snapshot
      .selectFrom('jobs')
      .select(['id', 'name', 'key', 'run_at', 'rank', 'account_id'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageRows)
      .execute();
    if (rows.length > 0)
      yield rows.map(({ name, key, run_at, rank, account_id: accountId }) => {
        return { name, key, runAt: run_at, rank: rankOf(rank), accountId };
      });
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.id;
  }
}

interface PgBossJob {
  readonly name: string;
  readonly id: string;
  readonly key: string;
  readonly rank: number;
  readonly account_id: string | null;
  readonly run_at: number;
}

/** In the format of `jobs/pg-boss-rows.ts`. */
async function* readPgBossJobs(snapshot: Database): AsyncGenerator<readonly WaitingJob[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('packshot_jobs.job') is not null as there
  `.execute(snapshot);
  // No service has been started on this database yet.
  if (!tables[0]!.there) return;
  for (let after: PgBossJob | undefined; ; ) {
    const rest = after ? sql`(name, id) > (${after.name}, ${after.id}::uuid)` : sql`true`;
    const { rows }: { rows: PgBossJob[] } = await sql<PgBossJob>`
      select name, id, coalesce(singleton_key, '') as key, priority as rank,
             nullif(group_id, ${noAccount}) as account_id,
             (extract(epoch from start_after) * 1000)::float8 as run_at
        from packshot_jobs.job
       where state <= 'active' and ${rest} order by name, id limit ${sql.lit(pageRows)}
    `.execute(snapshot);
    if (rows.length > 0)
      yield rows.map(({ name, key, rank, run_at, account_id: accountId }) => {
        return { name, key, runAt: Math.round(run_at), rank: rankOf(rank), accountId };
      });
    if (rows.length < pageRows) return;
    after = rows.at(-1);
  }
}
