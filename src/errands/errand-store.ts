/**
 * The rows of errands: work that a caller waits for in one process and that another one does.
 *
 *     sent ──> waiting ──done by a worker──> done, failed ──fetched──> (none)
 *                 └──the caller left, or their time is over──> (none)
 *
 * Without a row nobody wants the work any more.
 */
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';

export interface Errand {
  readonly id: string;
  readonly kind: string;
  /** JSON. */
  readonly input: unknown;
  /** From when it was sent. */
  readonly patienceMs: number;
}

export type ErrandOutcome =
  /** `output` is JSON; bytes that come with it are a blob. */
  | { readonly state: 'done'; readonly output: unknown; readonly hasBytes: boolean }
  | {
      readonly state: 'failed';
      readonly failure: {
        readonly code: string;
        readonly detail: string;
        readonly retryAfterS: number | undefined;
      };
    };

/** Clocks of two machines may differ by so much. */
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

    /** Undefined where nobody waits for it any more, or where it is settled. */
    async findOpen(id: string): Promise<Errand | undefined> {
      const row = await database
        .selectFrom('errands')
        .selectAll()
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      if (!row || row.expires_at + skewMs < clock()) return undefined;
      // How long its sender waits, and not until when: the two processes' clocks may differ.
      const patienceMs = row.expires_at - row.created_at;
      return { id, kind: row.kind, input: JSON.parse(row.input), patienceMs };
    },

    /** Removes what is settled; undefined while it is open, and where it is gone. */
    async takeOutcome(id: string): Promise<ErrandOutcome | undefined> {
      const row = await database
        .deleteFrom('errands')
        .where('id', '=', id)
        .where('state', '!=', 'waiting')
        .returning('outcome')
        .executeTakeFirst();
      return row?.outcome == null ? undefined : JSON.parse(row.outcome);
    },

    /** Whether there is a row of it, open or settled. */
    async isKnown(id: string): Promise<boolean> {
      const row = await database.selectFrom('errands').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },

    /** Whether somebody still waits for it. */
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

    /** Those that were never fetched: their callers' process is gone. */
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
