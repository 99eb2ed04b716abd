/**
 * The order of waiting jobs: accounts take turns, and each account's own jobs keep their order.
 *
 * This is start-time fair queuing. A job gets its turn when it is enqueued: the turn after its account's last job, or
 * the turn of the next due job, whichever is later. If 30 jobs of one account have the turns n to n + 29, the first job
 * of another account gets turn n and waits for one job instead of 30. A turn never changes, an account earns no credit
 * while it is idle, and an empty queue starts again at turn 0. A job without an account has turn 0, so it does not wait
 * for the turns of accounts.
 *
 * The queue stores rank and turn as one number, the priority, so that one index keeps the waiting jobs in order. A
 * later turn gives a lower priority.
 */
import type { RawBuilder } from 'kysely';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { JobTurn } from './queue.ts';

/**
 * Number of turns per rank, far more than the jobs that ever wait in one queue. Jobs that would need a later turn share
 * the last one, and run in the order in which they were enqueued.
 */
const turnsPerRank = 10_000_000;

/** Returns the lowest and the highest priority of a rank, both inclusive. */
export const prioritiesOf = (rank: number) => ({
  lowest: (rank - 1) * turnsPerRank + 1,
  highest: rank * turnsPerRank,
});

export const rankOf = (priority: number): number => Math.ceil(priority / turnsPerRank) || 0;

/** Priorities of the jobs of one name and rank. */
export interface Line {
  /** Priority of the job that will run next; the job is due and not started. */
  readonly next: number | undefined;
  /** Lowest priority of all waiting and running jobs; used if `next` is undefined. */
  readonly lowest: number | undefined;
  /** Lowest priority among the jobs of the account to which the new jobs belong. */
  readonly own: number | undefined;
}

/** Returns the priorities of `count` new jobs of one account, in the order of the jobs. */
export function takeTurns(rank: number, count: number, { next, lowest, own }: Line): number[] {
  const { highest, lowest: last } = prioritiesOf(rank);
  const head = next ?? lowest ?? highest;
  const first = own === undefined ? head : Math.min(head, own - 1);
  return Array.from({ length: count }, (_, i) => Math.max(last, first - i));
}

interface Newcomers {
  readonly rows: DatabaseOrTransaction;
  readonly name: string;
  readonly count: number;
  readonly now: RawBuilder<number>;
}

/**
 * Reads the line of waiting jobs, and returns one priority per new job, highest first. Jobs without an account all get
 * the same priority.
 */
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
