/**
 * Whose turn it is in a line of jobs: accounts take turns, and each account's own jobs keep their order.
 *
 * This is start-time fair queuing. A job gets its turn when it is enqueued: the one after its account's last job, or the
 * turn of the job that is next in line, whichever is later. Where one account's 30 jobs hold the turns n to n + 29, the
 * first job of another account gets turn n, and waits for one job instead of 30. A turn never changes, time spent idle
 * earns nothing, and a line that is empty starts again from 0. A job without an account has turn 0: it does not wait
 * for accounts to take turns.
 *
 * The queue stores rank and turn as one number, the priority, so that one index has the line in its order.
 */

/** Far more than jobs ever wait in one line. Beyond it, jobs of one rank go in the order in which they were enqueued. */
const turnsPerRank = 10_000_000;

/** The priorities of the jobs of one rank, both included. */
export const prioritiesOf = (rank: number) => ({
  lowest: (rank - 1) * turnsPerRank + 1,
  highest: rank * turnsPerRank,
});

/** The rank of a job, from its priority. */
export const rankOf = (priority: number): number => Math.ceil(priority / turnsPerRank) || 0;

/** What a queue finds in its line: priorities of jobs of one name and rank. */
export interface Line {
  /** Of the job that is next: due, and not begun. */
  readonly next: number | undefined;
  /** The lowest of those that wait or run; decides where none is next. */
  readonly lowest: number | undefined;
  /** The lowest of those of the account. */
  readonly own: number | undefined;
}

/** The priorities of so many new jobs of one account, in their order. */
export function takeTurns(rank: number, count: number, { next, lowest, own }: Line): number[] {
  const { highest, lowest: last } = prioritiesOf(rank);
  const head = next ?? lowest ?? highest;
  const first = own === undefined ? head : Math.min(head, own - 1);
  return Array.from({ length: count }, (_, i) => Math.max(last, first - i));
}
