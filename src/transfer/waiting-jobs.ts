/** Exports waiting and running jobs, as work for the service that imports them. */
import { rankOf } from '../jobs/fair-turns.ts';
import type { Database } from '../storage/database.ts';
import { pageRows } from './line-files.ts';

export interface WaitingJob {
  readonly name: string;
  readonly key: string;
  /** Earliest start, in Unix milliseconds. */
  readonly runAt: number;
  readonly rank: number;
  /** Null if the job has no account; missing in archives of releases that did not record accounts. */
  readonly accountId?: string | null;
}

/**
 * Attempt counts are not exported, so the importing service counts from zero. Jobs with an input are not exported,
 * because their callers wait for the result at the old service.
 */
export async function* readJobs(snapshot: Database): AsyncGenerator<readonly WaitingJob[]> {
  for (let after = ''; ; ) {
    const rows = await snapshot
      .selectFrom('jobs')
      .select(['id', 'name', 'key', 'run_at', 'rank', 'account_id'])
      .where('id', '>', after)
      .where('input', 'is', null)
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
