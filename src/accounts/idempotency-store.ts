/** Stores responses by Idempotency-Key for a day, so that a retried call does not repeat its work. */
import type { Database } from '../storage/database.ts';
import { deleteRows, findRow, updateRows } from '../storage/rows.ts';

/** Identifies an idempotent request. The same Idempotency-Key on another path is another request. */
export interface Intention {
  readonly keyId: string;
  readonly path: string;
  readonly idempotencyKey: string;
}

export type Claim =
  /** The first request with this Idempotency-Key: its call does the work, then settles or releases the claim. */
  | { readonly state: 'new'; readonly claimedAt: number }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly digest: string; readonly answer: unknown };

const keptMs = 86_400_000;
/** Responses stored per API key; the oldest are deleted. At the default rate, a key needs 17 minutes to reach this. */
const mostAnswers = 10_000;
/**
 * Each time this process has stored this many responses, it deletes the surplus responses of the key to which the last
 * one belongs.
 */
const trimEvery = 100;

interface Dependencies {
  readonly clock: () => number;
  /** More than any call takes. A process with an older claim has died, or could not store the outcome of its call. */
  readonly longestCallMs: number;
  readonly most?: number;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(
  database: Database,
  { clock, longestCallMs, most = mostAnswers }: Dependencies,
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
    await deleteRows(database, 'idempotent_answers', { key_id: keyId }, (row) =>
      row.and([row('created_at', '<=', next.created_at), row('answer', 'is not', null)]),
    );
  }

  return {
    async claim(intention: Intention): Promise<Claim> {
      const claim = await insert(intention);
      if (claim.state === 'new') return claim;
      const row = await findRow(database, 'idempotent_answers', where(intention));
      const age = row ? clock() - Number(row.created_at) : Number.POSITIVE_INFINITY;
      if (row?.answer != null && age < keptMs) {
        return { state: 'done', digest: row.digest!, answer: JSON.parse(row.answer) };
      }
      if (row && row.answer === null && age < longestCallMs) return { state: 'running' };
      // The claim is expired or abandoned. If several requests find it in this state, exactly one takes it over.
      const created_at = row ? row.created_at : 0;
      await deleteRows(database, 'idempotent_answers', { ...where(intention), created_at });
      return insert(intention);
    },

    /** Stores the response. Does nothing if another request has taken over the claim. */
    async settle(
      intention: Intention,
      claimedAt: number,
      { digest, answer, ownerId }: { digest: string; answer: unknown; ownerId: string },
    ): Promise<void> {
      const values = { digest, answer: JSON.stringify(answer), owner_id: ownerId };
      const claimed = { ...where(intention), created_at: claimedAt };
      await updateRows(database, 'idempotent_answers', values, claimed);
      if (++settled % trimEvery === 0) await trim(intention.keyId);
    },

    /** Lets a failed call be retried. Does nothing if another request has taken over the claim. */
    async release(intention: Intention, claimedAt: number): Promise<void> {
      const claimed = { ...where(intention), created_at: claimedAt, answer: null };
      await deleteRows(database, 'idempotent_answers', claimed);
    },

    /** Deletes expired responses. With `atStart`, no call is running, so claims without a response are deleted too. */
    async sweepAnswers({ atStart }: { readonly atStart: boolean }): Promise<void> {
      await deleteRows(database, 'idempotent_answers', ({ eb, or }) =>
        or([eb('created_at', '<=', clock() - keptMs), ...(atStart ? [eb('answer', 'is', null)] : [])]),
      );
    },
  };
}
