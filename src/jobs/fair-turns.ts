/**
 * The order of waiting jobs: accounts take turns, and each account's own jobs keep their order.
 *
 * This is start-time fair queuing. A job is assigned its turn when it is enqueued: the turn after its account's last
 * job, or the turn of the next due job, whichever is later. If one account's 30 jobs have turns n to n + 29, the first
 * job of another account gets turn n and waits for one job instead of 30. A turn never changes, an idle account earns
 * no credit, and an empty queue restarts at turn 0. A job without an account has turn 0, so it does not wait for the
 * turns of accounts.
 *
 * The queue stores rank and turn as one number, the priority, so that one index keeps the line in order.
 */

/**
 * Number of turns per rank, far more than the jobs that ever wait in one queue. After the last turn, jobs of one
 * rank run in the order in which they were enqueued.
 */
const turnsPerRank = 10_000_000;

/** The lowest and highest priority of one rank, both inclusive. */
export const prioritiesOf = (rank: number) => ({
  lowest: (rank - 1) * turnsPerRank + 1,
  highest: rank * turnsPerRank,
});

/** The rank of a job, from its priority. */
export const rankOf = (priority: number): number => Math.ceil(priority / turnsPerRank) || 0;

/** Priorities of queued jobs of one name and rank. */
export interface Line {
  /** Priority of the next job, which is due and not started. */
  readonly next: number | undefined;
  /** Lowest priority of all waiting and running jobs; used if `next` is undefined. */
  readonly lowest: number | undefined;
  /** Lowest priority of the account's jobs. */
  readonly own: number | undefined;
}

/** Priorities of `count` new jobs of one account, in order. */
export function takeTurns(rank: number, count: number, { next, lowest, own }: Line): number[] {
  const { highest, lowest: last } = prioritiesOf(rank);
  const head = next ?? lowest ?? highest;
  const first = own === undefined ? head : Math.min(head, own - 1);
  return Array.from({ length: count }, (_, i) => Math.max(last, first - i));
}
