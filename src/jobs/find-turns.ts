/** Determines the turns of new jobs from the rows of waiting jobs. */
import type { DatabaseOrTransaction } from '../storage/database.ts';
import { prioritiesOf, takeTurns } from './fair-turns.ts';
import type { tellTime } from './job-time.ts';
import type { JobTurn } from './queue.ts';

interface Newcomers {
  readonly rows: DatabaseOrTransaction;
  readonly name: string;
  readonly count: number;
  readonly now: ReturnType<ReturnType<typeof tellTime>>;
}

/** Returns one priority per new job, highest first. Jobs without an account all get the same priority. */
export async function findPriorities(
  { rows, name, count, now }: Newcomers,
  { rank = 0, accountId }: JobTurn,
): Promise<number[]> {
  const { highest, lowest } = prioritiesOf(rank);
  if (accountId === undefined) return Array<number>(count).fill(highest);
  const line = rows
    .selectFrom('jobs')
    .where('name', '=', name)
    .where('rank', '>=', lowest)
    .where('rank', '<=', highest);
  const lowestOf = line.select(({ fn }) => fn.min<number | null>('rank').as('rank'));
  const [next, last, mine] = await Promise.all([
    line
      .select('rank')
      .where('claim', 'is', null)
      .where('run_at', '<=', now)
      .orderBy('rank', 'desc')
      .limit(1)
      .executeTakeFirst(),
    lowestOf.executeTakeFirst(),
    lowestOf.where('account_id', '=', accountId).executeTakeFirst(),
  ]);
  return takeTurns(rank, count, {
    next: next?.rank,
    lowest: last?.rank ?? undefined,
    own: mine?.rank ?? undefined,
  });
}
