/** Remembers for a day what a call with an Idempotency-Key was answered, so that its repetition does nothing anew. */
import type { Database } from '../storage/database.ts';

/** One caller's one intention: the same key on another path is another one. */
export interface Intention {
  readonly keyId: string;
  readonly path: string;
  readonly idempotencyKey: string;
}

export type Claim =
  /** Nobody has done it: the claimer does, and settles or releases what was claimed then. */
  | { readonly state: 'new'; readonly claimedAt: number }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly digest: string; readonly answer: unknown };

const keptMs = 86_400_000;
/** Of one key. At the default rate, those of the last 17 minutes at least; beyond that the oldest are forgotten. */
const mostAnswers = 10_000;
/** Answers of this process between two looks at how many a key has. */
const trimEvery = 100;

interface Needs {
  readonly clock: () => number;
  /** No call lives this long: who claimed something longer ago could not write down how it ended. */
  readonly longestCallMs: number;
  /** Answers remembered of one key. */
  readonly most?: number;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(
  database: Database,
  { clock, longestCallMs, most = mostAnswers }: Needs,
) {
  const where = ({ keyId, path, idempotencyKey }: Intention) => ({
    key_id: keyId,
    path,
    idempotency_key: idempotencyKey,
  });

  async function insert(intention: Intention): Promise<Claim> {
    const claimedAt = clock();
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('idempotent_answers')
      .values({ ...where(intention), digest: null, answer: null, created_at: claimedAt })
      .onConflict((conflict) => conflict.columns(['key_id', 'path', 'idempotency_key']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? { state: 'new', claimedAt } : { state: 'running' };
  }

  let settled = 0;

  async function trim(keyId: string): Promise<void> {
    const newest = database
      .selectFrom('idempotent_answers')
      .select('created_at')
      .where('key_id', '=', keyId)
      .orderBy('created_at', 'desc');
    const next = await newest.offset(most).limit(1).executeTakeFirst();
    if (!next) return;
    await database
      .deleteFrom('idempotent_answers')
      .where('key_id', '=', keyId)
      .where('created_at', '<=', next.created_at)
      .where('answer', 'is not', null)
      .execute();
  }

  return {
    async claim(intention: Intention): Promise<Claim> {
      const claim = await insert(intention);
      if (claim.state === 'new') return claim;
      const row = await database
        .selectFrom('idempotent_answers')
        .selectAll()
        .where((expression) => expression.and(where(intention)))
        .executeTakeFirst();
      const age = row ? clock() - Number(row.created_at) : Number.POSITIVE_INFINITY;
      if (row?.answer != null && age < keptMs) {
        return { state: 'done', digest: row.digest!, answer: JSON.parse(row.answer) };
      }
      if (row && row.answer === null && age < longestCallMs) return { state: 'running' };
      // Over, or left behind. Of several that see this, one takes it.
      await database
        .deleteFrom('idempotent_answers')
        .where((expression) => expression.and(where(intention)))
        .where('created_at', '=', row ? row.created_at : 0)
        .execute();
      return insert(intention);
    },

    /** Changes nothing where somebody else has taken the intention over. */
    async settle(
      intention: Intention,
      claimedAt: number,
      { digest, answer, ownerId }: { digest: string; answer: unknown; ownerId: string },
    ): Promise<void> {
      await database
        .updateTable('idempotent_answers')
        .set({ digest, answer: JSON.stringify(answer), owner_id: ownerId })
        .where((expression) => expression.and(where(intention)))
        .where('created_at', '=', claimedAt)
        .execute();
      if (++settled % trimEvery === 0) await trim(intention.keyId);
    },

    /** Nothing is kept of a call that failed: it may be tried again. As with `settle`, only where it is still its own. */
    async release(intention: Intention, claimedAt: number): Promise<void> {
      await database
        .deleteFrom('idempotent_answers')
        .where((expression) => expression.and(where(intention)))
        .where('created_at', '=', claimedAt)
        .where('answer', 'is', null)
        .execute();
    },

    /** Forgets what is over. At a start no call runs: what has no answer died with the process before. */
    async sweepAnswers({ atStart }: { readonly atStart: boolean }): Promise<void> {
      await database
        .deleteFrom('idempotent_answers')
        .where(({ eb, or }) =>
          or([eb('created_at', '<=', clock() - keptMs), ...(atStart ? [eb('answer', 'is', null)] : [])]),
        )
        .execute();
    },
  };
}
