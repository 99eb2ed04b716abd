/** Remembers for a day what a call with an Idempotency-Key was answered, so that its repetition does nothing anew. */
import type { Database } from '../storage/database.ts';

/** One caller's one intention: the same key on another path is another one. */
export interface Intention {
  readonly keyId: string;
  readonly path: string;
  readonly idempotencyKey: string;
}

export type Claim =
  /** Nobody has done it: the claimer does, and settles or releases. */
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly digest: string; readonly answer: unknown };

const keptMs = 86_400_000;
/** No call lives this long, so whoever claimed it died with its process. */
const abandonedMs = 120_000;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(database: Database, clock: () => number) {
  const where = ({ keyId, path, idempotencyKey }: Intention) => ({
    key_id: keyId,
    path,
    idempotency_key: idempotencyKey,
  });

  async function insert(intention: Intention): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('idempotent_answers')
      .values({ ...where(intention), digest: null, answer: null, created_at: clock() })
      .onConflict((conflict) => conflict.columns(['key_id', 'path', 'idempotency_key']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  return {
    async claim(intention: Intention): Promise<Claim> {
      if (await insert(intention)) return { state: 'new' };
      const row = await database
        .selectFrom('idempotent_answers')
        .selectAll()
        .where((expression) => expression.and(where(intention)))
        .executeTakeFirst();
      const age = row ? clock() - Number(row.created_at) : Number.POSITIVE_INFINITY;
      if (row?.answer != null && age < keptMs) {
        return { state: 'done', digest: row.digest!, answer: JSON.parse(row.answer) };
      }
      if (row && row.answer === null && age < abandonedMs) return { state: 'running' };
      // Over, or left behind by a process that died. Of several that see this, one takes it.
      await database
        .deleteFrom('idempotent_answers')
        .where((expression) => expression.and(where(intention)))
        .where('created_at', '=', row ? row.created_at : 0)
        .execute();
      return (await insert(intention)) ? { state: 'new' } : { state: 'running' };
    },

    async settle(intention: Intention, digest: string, answer: unknown): Promise<void> {
      await database
        .updateTable('idempotent_answers')
        .set({ digest, answer: JSON.stringify(answer) })
        .where((expression) => expression.and(where(intention)))
        .execute();
    },

    /** Nothing is kept of a call that failed: it may be tried again. */
    async release(intention: Intention): Promise<void> {
      await database
        .deleteFrom('idempotent_answers')
        .where((expression) => expression.and(where(intention)))
        .where('answer', 'is', null)
        .execute();
    },

    async sweepAnswers(): Promise<void> {
      await database
        .deleteFrom('idempotent_answers')
        .where('created_at', '<=', clock() - keptMs)
        .execute();
    },
  };
}
