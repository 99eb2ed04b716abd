/** Reads from the queue's table how many jobs wait or run, and how old the oldest job is. Changes nothing. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import { countRows } from '../storage/rows.ts';
import { prioritiesOf } from './fair-turns.ts';
import { tellTime } from './job-time.ts';
import type { JobCounts } from './queue.ts';

/** The start of a job's key, as long as `keyPrefix`. Equal to `keyPrefix` if the key begins with it. */
export const beginsWith = (keyPrefix: string) => sql`substr(key, 1, ${sql.lit([...keyPrefix].length)})`;

export function createJobSurvey(
  database: Database,
  { isShared, clock }: { readonly isShared: boolean; readonly clock: () => number },
) {
  const inMs = tellTime(isShared, clock);
  return {
    count: (name: string, accountId?: string): Promise<number> =>
      countRows(database, 'jobs', { name, ...(accountId !== undefined && { account_id: accountId }) }),

    async listKeys(name: string, keyPrefix: string): Promise<string[]> {
      const rows = await database
        .selectFrom('jobs')
        .select('key')
        .where('name', '=', name)
        .where(beginsWith(keyPrefix), '=', keyPrefix)
        .execute();
      return rows.map(({ key }) => key);
    },

    async survey(): Promise<JobCounts[]> {
      const countIf = (is: RawBuilder<unknown>) => sql<number>`count(case when ${is} then 1 end)`;
      const rows = await database
        .selectFrom('jobs')
        .select(({ fn }) => ['name', fn.min<number>('created_at').as('oldest')])
        .select(countIf(sql`claim is null and run_at <= ${inMs(0)}`).as('waiting'))
        .select(countIf(sql`claim is null and run_at > ${inMs(0)}`).as('delayed'))
        .select(countIf(sql`claim is not null`).as('running'))
        .groupBy('name')
        .orderBy('name')
        .execute();
      return rows.map(({ oldest, ...counts }) => ({ ...counts, oldest: new Date(oldest) }));
    },

    /** Ignores jobs of ranks below 0. */
    async findOldest(name: string): Promise<Date | undefined> {
      const { oldest } = await database
        .selectFrom('jobs')
        .select(({ fn }) => fn.min<number | null>('created_at').as('oldest'))
        .where('name', '=', name)
        .where('rank', '>=', prioritiesOf(0).lowest)
        .executeTakeFirstOrThrow();
      return oldest === null ? undefined : new Date(oldest);
    },
  };
}
