/** Jobs that failed permanently. Their keys and the reasons are kept for operators. */
import { errorTable, PackshotError } from 'packshot-errors';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { deleteRows } from '../storage/rows.ts';
import type { DeadJobRow } from '../storage/schema.ts';

const keptMs = 30 * 86_400_000;
/** Maximum dead jobs that are kept, so that a fault in every job does not also fill the disk. */
const maxKept = 10_000;
const longestError = 500;

export interface DeadJob {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Number of attempts that counted as failures of the job. */
  readonly attempts: number;
  readonly error: string;
  readonly createdAt: Date;
  readonly diedAt: Date;
}

export type GivenUpJob = Pick<DeadJob, 'id' | 'name' | 'key' | 'attempts' | 'createdAt'>;

/** Selects dead jobs: the one with this ID, those with this job name, or all. */
export interface DeadJobChoice {
  readonly id?: string;
  readonly name?: string;
}

export function createDeadJobStore(database: Database, clock: () => number) {
  return {
    /** Must run in the transaction that deletes the job. Jobs that failed because of their input are not recorded. */
    async noteDeath(job: GivenUpJob, error: unknown, transaction: DatabaseOrTransaction): Promise<void> {
      if (error instanceof PackshotError && errorTable[error.code].fault === 'caller') return;
      await transaction
        .insertInto('dead_jobs')
        .values({
          id: job.id,
          name: job.name,
          key: job.key,
          attempts: job.attempts,
          error: describeError(error),
          created_at: job.createdAt.getTime(),
          died_at: clock(),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    /** Returns the chosen dead jobs, most recent first. */
    async listDeadJobs(choice: DeadJobChoice = {}): Promise<DeadJob[]> {
      const rows = await database
        .selectFrom('dead_jobs')
        .selectAll()
        .where((job) => job.and(choice))
        .orderBy('died_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toDeadJob);
    },

    /** Returns the number of dead jobs per job name; names without dead jobs are absent. */
    async countDeadJobs(): Promise<Map<string, number>> {
      const rows = await database
        .selectFrom('dead_jobs')
        .select(({ fn }) => ['name', fn.countAll<number>().as('count')])
        .groupBy('name')
        .execute();
      return new Map(rows.map(({ name, count }) => [name, Number(count)]));
    },

    /** Deletes the chosen dead jobs and returns their number. */
    async forgetDeadJobs(
      choice: DeadJobChoice,
      transaction: DatabaseOrTransaction = database,
    ): Promise<number> {
      return deleteRows(transaction, 'dead_jobs', choice);
    },

    /** Deletes dead jobs older than 30 days and, if more than 10,000 remain, the oldest of these. */
    async sweepDeadJobs(): Promise<void> {
      await deleteRows(database, 'dead_jobs', (job) => job('died_at', '<=', clock() - keptMs));
      const newest = await database
        .selectFrom('dead_jobs')
        .select('died_at')
        .orderBy('died_at', 'desc')
        .offset(maxKept)
        .limit(1)
        .executeTakeFirst();
      if (newest) await deleteRows(database, 'dead_jobs', (job) => job('died_at', '<=', newest.died_at));
    },
  };
}

export type DeadJobStore = ReturnType<typeof createDeadJobStore>;

/** Our own messages are safe to show. Messages of libraries may reveal paths, addresses or file contents. */
function describeError(error: unknown): string {
  if (error instanceof PackshotError) return `${error.code}: ${error.message}`.slice(0, longestError);
  if (!(error instanceof Error)) return 'an unknown error';
  const words = error.message.replace(/[a-z][\w+.-]*:\/\/\S+|(?:\/[\w.@~-]+){2,}/gi, '…');
  return `${error.name}: ${words}`.slice(0, longestError);
}

const toDeadJob = (row: DeadJobRow): DeadJob => ({
  id: row.id,
  name: row.name,
  key: row.key,
  attempts: row.attempts,
  error: row.error,
  createdAt: new Date(Number(row.created_at)),
  diedAt: new Date(Number(row.died_at)),
});
