/**
 * The rows of remote tasks (errands): work that one process does while a caller waits in another.
 *
 *     sent ──> waiting ──done by a worker──> done, failed ──fetched──> (none)
 *                 └──the caller left, or timed out──> (none)
 *
 * A task without a row is no longer wanted.
 */
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';

export interface Errand {
  readonly id: string;
  readonly kind: string;
  /** JSON. */
  readonly input: unknown;
  /** Milliseconds that the sender waits, from sending. */
  readonly patienceMs: number;
}

export type ErrandOutcome =
  /** `output` is JSON; accompanying bytes are a blob. */
  | { readonly state: 'done'; readonly output: unknown; readonly hasBytes: boolean }
  | {
      readonly state: 'failed';
      readonly failure: {
        readonly code: string;
        readonly detail: string;
        readonly retryAfterS: number | undefined;
      };
    };

/** Tolerated clock skew between two machines. */
const skewMs = 60_000;

export type ErrandStore = ReturnType<typeof createErrandStore>;

export function createErrandStore(database: Database, clock: () => number) {
  return {
    async insertErrand(errand: Errand, transaction: DatabaseOrTransaction): Promise<void> {
      await transaction
        .insertInto('errands')
        .values({
          id: errand.id,
          kind: errand.kind,
          input: JSON.stringify(errand.input),
          state: 'waiting',
          outcome: null,
          created_at: clock(),
          expires_at: clock() + errand.patienceMs,
        })
        .execute();
    },

    /** Undefined if the caller has stopped waiting, or the task is settled. */
    async findOpen(id: string): Promise<Errand | undefined> {
      const row = await database
        .selectFrom('errands')
        .selectAll()
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      if (!row || row.expires_at + skewMs < clock()) return undefined;
      // Stored as a duration, not a time: the two processes' clocks may differ.
      const patienceMs = row.expires_at - row.created_at;
      return { id, kind: row.kind, input: JSON.parse(row.input), patienceMs };
    },

    /** Deletes a settled task and returns its outcome; undefined while it is open, or if it is gone. */
    async takeOutcome(id: string): Promise<ErrandOutcome | undefined> {
      const row = await database
        .deleteFrom('errands')
        .where('id', '=', id)
        .where('state', '!=', 'waiting')
        .returning('outcome')
        .executeTakeFirst();
      return row?.outcome == null ? undefined : JSON.parse(row.outcome);
    },

    /** Whether its row exists, open or settled. */
    async isKnown(id: string): Promise<boolean> {
      const row = await database.selectFrom('errands').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },

    /** Returns whether the caller still waits for it. */
    async settle(id: string, outcome: ErrandOutcome): Promise<boolean> {
      const { numUpdatedRows } = await database
        .updateTable('errands')
        .set({ state: outcome.state, outcome: JSON.stringify(outcome) })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async remove(id: string): Promise<void> {
      await database.deleteFrom('errands').where('id', '=', id).execute();
    },

    /** Outcomes that were never fetched: the sender's process is gone. */
    async listExpired(): Promise<string[]> {
      const rows = await database
        .selectFrom('errands')
        .select('id')
        .where('expires_at', '<=', clock() - skewMs)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
