/**
 * Job rows, the same in SQLite and PostgreSQL:
 *
 *     enqueued ──> waiting ──claimed──> running ──finished, removed──> no row
 *                     ↑                    │
 *                     └────────────────────┴─put back, or its process stopped renewing
 *
 * Each claim has a token. A process that has lost its claim can no longer change the job.
 */
import { randomUUID } from 'node:crypto';
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { findPriorities } from './find-turns.ts';
import { tellTime } from './job-time.ts';
import type { JobTurn } from './queue.ts';

/** What has happened to a job so far. */
export interface JobTrials {
  /** Number of failures that count toward `maxAttempts`. */
  readonly attempts: number;
  /** Number of consecutive pauses. */
  readonly pauses: number;
  /** Number of processes that stopped renewing their claim while running the job. */
  readonly deaths: number;
}

/** A job claimed by one process. */
export interface Claim extends JobTrials {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly token: string;
  readonly input: unknown;
  readonly createdAt: Date;
}

interface Options {
  readonly database: Database;
  /** The queue's own connections; undefined if no other process uses these rows. */
  readonly shared: Database | undefined;
  readonly clock: () => number;
}

export type JobRows = ReturnType<typeof createJobRows>;

export function createJobRows({ database, shared, clock }: Options) {
  const own = shared ?? database;
  const inMs = tellTime(shared !== undefined, clock);
  let lastCreatedAt = 0;

  /** Never returns the same time twice, because the times order jobs of equal priority. */
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
      // On PostgreSQL, do not read in the caller's serializable transaction, which would then conflict with every
      // other caller and worker. Two jobs enqueued at the same moment may get the same turn, which does no harm.
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
        .onConflict((conflict) => conflict.columns(['name', 'key']).doNothing())
        .execute();
    },

    /** Claims up to `limit` due jobs, in order. */
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
      // Even an update that matches no row makes SQLite write and sync its log.
      if (!shared && (await due.execute()).length === 0) return [];
      const rows = await own
        // Unless `due` is materialized, PostgreSQL may run it more than once, and claim more than `limit` jobs.
        .with(
          (cte) => cte('due').materialized(),
          () => due.$if(shared !== undefined, (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('jobs')
        .set({ claim: token, touched_at: inMs(0) })
        .where('id', 'in', (query) => query.selectFrom('due').select('id'))
        .returning(['id', 'key', 'attempts', 'pauses', 'deaths', 'created_at', 'rank', 'input'])
        .execute();
      return rows
        .sort((a, b) => b.rank - a.rank || a.created_at - b.created_at)
        .map(({ created_at, rank, input, ...row }) => {
          const createdAt = new Date(created_at);
          return { ...row, name, token, createdAt, input: input === null ? null : JSON.parse(input) };
        });
    },

    /** Returns whether the claim was still valid. */
    async finish({ id, token }: Claim, transaction: DatabaseOrTransaction = own): Promise<boolean> {
      const { numDeletedRows } = await transaction
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where('claim', '=', token)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    /** Other processes may claim the job after the pause. */
    async putBack(claim: Claim, trials: Partial<JobTrials>, pauseMs: number): Promise<void> {
      await own
        .updateTable('jobs')
        .set({ ...trials, claim: null, touched_at: null, run_at: inMs(pauseMs) })
        .where('id', '=', claim.id)
        .where('claim', '=', claim.token)
        .execute();
    },

    /** Renews the claims. Returns the job ids of the claims that are still valid. */
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

    /** Releases claims that were not renewed for `silentMs`, and counts a death for each job. Returns the job names. */
    async releaseSilent(silentMs: number): Promise<ReadonlySet<string>> {
      const rows = await own
        .updateTable('jobs')
        .set(({ eb }) => ({ claim: null, touched_at: null, deaths: eb('deaths', '+', 1) }))
        .where('touched_at', '<', inMs(-silentMs))
        .returning('name')
        .execute();
      return new Set(rows.map(({ name }) => name));
    },

    /** Releases all claims. Only for a process that is alone: the claims are those of an earlier, ended process. */
    async releaseAll(): Promise<void> {
      await own
        .updateTable('jobs')
        .set({ claim: null, touched_at: null })
        .where('touched_at', 'is not', null)
        .execute();
    },

    async remove(name: string, key: string): Promise<void> {
      await own.deleteFrom('jobs').where('name', '=', name).where('key', '=', key).execute();
    },
  };
}
