/**
 * Job rows, the same in SQLite and PostgreSQL:
 *
 *     enqueued ──> waiting ──claimed──> running ──finished, removed──> no row
 *                     ↑                    │
 *                     └────────────────────┴─put back, or claim no longer renewed
 *
 * Each claim has a token. A process that has lost its claim on a job can no longer change that job.
 */
import { randomUUID } from 'node:crypto';
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { deleteRows, updateRows } from '../storage/rows.ts';
import { findPriorities } from './fair-turns.ts';
import { tellTime } from './job-time.ts';
import type { JobTurn } from './queue.ts';
import { beginsWith } from './survey-jobs.ts';

/** What has happened to a job so far. */
export interface JobTrials {
  /** Number of failures that count toward the handler's `maxAttempts`. */
  readonly attempts: number;
  /** Number of pauses before retries so far. */
  readonly pauses: number;
  /** Number of processes that stopped renewing their claim while they ran the job. */
  readonly deaths: number;
}

/** A job that a process has claimed. */
export interface Claim extends JobTrials {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly token: string;
  /** When the job was due. Enqueuing the job again while it runs makes it due later, so that it runs once more. */
  readonly runAt: number;
  readonly input: unknown;
  readonly createdAt: Date;
}

interface Options {
  readonly database: Database;
  /** The queue's own connections to PostgreSQL; undefined if no other process uses these rows. */
  readonly shared: Database | undefined;
  readonly clock: () => number;
}

export type JobRows = ReturnType<typeof createJobRows>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createJobRows({ database, shared, clock }: Options) {
  const own = shared ?? database;
  const inMs = tellTime(shared !== undefined, clock);
  let lastCreatedAt = 0;

  /** Never returns the same time twice: jobs of equal priority are ordered by this time. */
  function newCreatedAt(): number {
    lastCreatedAt = Math.max(lastCreatedAt + 1, clock());
    return lastCreatedAt;
  }

  return {
    async insert(
      name: string,
      keys: readonly string[],
      transaction: DatabaseOrTransaction,
      turn: JobTurn,
    ): Promise<void> {
      // On PostgreSQL, do not read within the caller's serializable transaction; it would conflict with all other
      // callers and workers. So two jobs enqueued at the same moment may get the same turn, which does no harm.
      const rows = shared ?? transaction;
      const priorities = await findPriorities({ rows, name, count: keys.length, now: inMs(0) }, turn);
      const shape = {
        name,
        attempts: 0,
        run_at: inMs(turn.delayMs ?? 0),
        created_at: newCreatedAt(),
        account_id: turn.accountId ?? null,
        input: turn.input === undefined ? null : JSON.stringify(turn.input),
      };
      await transaction
        .insertInto('jobs')
        .values(keys.map((key, i) => ({ ...shape, id: newId('job'), key, rank: priorities[i]! })))
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'key'])
            .doUpdateSet(({ eb, ref, fn }) => ({
              run_at: eb
                .case()
                .when('excluded.run_at', '>', ref('jobs.run_at'))
                .then(ref('excluded.run_at'))
                .else(eb('jobs.run_at', '+', 1))
                .end(),
              input: fn.coalesce('excluded.input', 'jobs.input'),
            }))
            .where('jobs.claim', 'is not', null),
        )
        .execute();
    },

    /** Claims up to `limit` due jobs, in the order in which they should run. */
    async claim(name: string, limit: number): Promise<Claim[]> {
      const token = randomUUID();
      const due = own
        .selectFrom('jobs')
        .select('id')
        .where('name', '=', name)
        .where('claim', 'is', null)
        .where('run_at', '<=', inMs(0))
        .orderBy('rank', 'desc')
        .orderBy('created_at')
        .limit(limit);
      // SQLite writes and syncs its log even for an update that matches no row.
      if (!shared && (await due.execute()).length === 0) return [];
      const rows = await own
        // Unless `due` is materialized, PostgreSQL may run that query more than once, and claim more than `limit` jobs.
        .with(
          (cte) => cte('due').materialized(),
          () => due.$if(shared !== undefined, (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('jobs')
        .set({ claim: token, touched_at: inMs(0) })
        .where('id', 'in', (query) => query.selectFrom('due').select('id'))
        .returning(['id', 'key', 'attempts', 'pauses', 'deaths', 'created_at', 'rank', 'input', 'run_at'])
        .execute();
      return rows
        .sort((a, b) => b.rank - a.rank || a.created_at - b.created_at)
        .map(({ created_at, rank, input, run_at: runAt, ...row }) => {
          const createdAt = new Date(created_at);
          return { ...row, name, token, createdAt, runAt, input: input === null ? null : JSON.parse(input) };
        });
    },

    /** Deletes the job, or makes it wait again if it was enqueued meanwhile. `lost`: the claim was no longer valid. */
    async finish(
      { id, token, runAt }: Claim,
      transaction: DatabaseOrTransaction = own,
    ): Promise<'gone' | 'waits again' | 'lost'> {
      if (await deleteRows(transaction, 'jobs', { id, claim: token, run_at: runAt })) return 'gone';
      const fresh = { claim: null, touched_at: null, attempts: 0, pauses: 0, deaths: 0 };
      return (await updateRows(transaction, 'jobs', fresh, { id, claim: token })) ? 'waits again' : 'lost';
    },

    /** Ends the claim. Any process may claim the job again after the pause. */
    async putBack(claim: Claim, trials: Partial<JobTrials>, pauseMs: number): Promise<void> {
      await own
        .updateTable('jobs')
        .set({ ...trials, claim: null, touched_at: null, run_at: inMs(pauseMs) })
        .where('id', '=', claim.id)
        .where('claim', '=', claim.token)
        .execute();
    },

    /** Renews the claims. Returns the IDs of the jobs whose claims are still valid. */
    async touch(claims: readonly Claim[]): Promise<ReadonlySet<string>> {
      const ids = claims.map(({ id }) => id);
      const tokens = claims.map(({ token }) => token);
      const rows = await own
        .updateTable('jobs')
        .set({ touched_at: inMs(0) })
        .where('id', 'in', ids)
        .where('claim', 'in', tokens)
        .returning('id')
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Releases claims not renewed for `silentMs`, and counts a death for each job. Returns the names of the jobs. */
    async releaseSilent(silentMs: number): Promise<ReadonlySet<string>> {
      const rows = await own
        .updateTable('jobs')
        .set(({ eb }) => ({ claim: null, touched_at: null, deaths: eb('deaths', '+', 1) }))
        .where('touched_at', '<', inMs(-silentMs))
        .returning('name')
        .execute();
      return new Set(rows.map(({ name }) => name));
    },

    /** Releases all claims. Only for a process that is alone: any claim is then left over from an ended process. */
    async releaseAll(): Promise<void> {
      await updateRows(own, 'jobs', { claim: null, touched_at: null }, (job) =>
        job('touched_at', 'is not', null),
      );
    },

    async remove(name: string, key: string): Promise<void> {
      await deleteRows(own, 'jobs', { name, key });
    },

    async removeWaiting(name: string, keyPrefix: string): Promise<void> {
      await deleteRows(own, 'jobs', { name, claim: null }, (job) =>
        job(beginsWith(keyPrefix), '=', keyPrefix),
      );
    },
  };
}
