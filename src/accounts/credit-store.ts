/**
 * The rows of credits: the balance of each quota, and its charges.
 *
 *     (none) ──hold──> held ──settle──> charged ──an hour──> (none)
 *                        │
 *                        └──release by the last holder──> (none), credits refunded
 *
 * A hold takes credits from the quota, in one statement that cannot overdraw the quota. Concurrent calls for the same
 * picture share one hold, and pay once. If a process dies, its holds remain. On SQLite, the next process refunds them
 * at its start, before it serves calls. On PostgreSQL, a sweep refunds them once they are 15 minutes old.
 */
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { deleteRows, findRow, hasRow, listIds, updateRows } from '../storage/rows.ts';
import { transact } from '../storage/transact.ts';
import { noteKeyEvent } from './key-events.ts';
import { addUsage } from './usage-store.ts';

/** For this many milliseconds after a charge, the same picture is free. */
const freeAgainMs = 3_600_000;
/** Milliseconds, longer than any deadline. If a hold is older, its process died or could not store the outcome. */
const abandonedMs = 900_000;

/** Credits are stored as whole thousandths, so that sums need no rounding. */
export const toMilli = (credits: number): number => Math.round(credits * 1000);
export const fromMilli = (milli: number): number => milli / 1000;

export interface Quota {
  readonly id: string;
  /** Null if there is no limit. */
  readonly remainingMilli: number | null;
  readonly usedMilli: number;
}

export interface Sale {
  readonly keyId: string;
  readonly quotaId: string;
  readonly etag: string;
  readonly costMilli: number;
  readonly size: 'preview' | 'generated';
}

export type CreditStore = ReturnType<typeof createCreditStore>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createCreditStore(database: Database, clock: () => number) {
  const dueBefore = () => clock() - freeAgainMs;

  const findCharge = (transaction: DatabaseOrTransaction, quotaId: string, etag: string) =>
    findRow(transaction, 'charges', { quota_id: quotaId, etag });

  async function giveBack(transaction: DatabaseOrTransaction, quotaId: string, etag: string, milli: number) {
    await transaction
      .updateTable('quotas')
      .set(({ eb }) => ({ remaining_milli: eb('remaining_milli', '+', milli) }))
      .where('id', '=', quotaId)
      .execute();
    await deleteRows(transaction, 'charges', { quota_id: quotaId, etag });
  }

  /** Records the charge. Returns whether this call pays for the picture. */
  async function charge(transaction: DatabaseOrTransaction, sale: Sale): Promise<boolean> {
    const { quotaId, etag, costMilli } = sale;
    const was = await findCharge(transaction, quotaId, etag);
    const pays = !was || was.charged_at === null || Number(was.charged_at) <= dueBefore();
    const now = clock();
    const paid = { charged_at: pays ? now : was.charged_at, updated_at: now };
    await transaction
      .insertInto('charges')
      .values({ quota_id: quotaId, etag, credits_milli: costMilli, holders: 0, ...paid })
      .onConflict((conflict) =>
        conflict
          .columns(['quota_id', 'etag'])
          .doUpdateSet({ ...paid, holders: Math.max(0, (was?.holders ?? 0) - 1) }),
      )
      .execute();
    return pays;
  }

  return {
    async readQuota(keyId: string): Promise<Quota> {
      const row = await database
        .selectFrom('api_keys')
        .innerJoin('quotas', 'quotas.id', 'api_keys.quota_id')
        .select(['quotas.id', 'quotas.remaining_milli', 'quotas.used_milli'])
        .where('api_keys.id', '=', keyId)
        .executeTakeFirstOrThrow();
      return toQuota(row);
    },

    /** Returns the IDs of all keys with this key's quota: the key, and the keys before and after it in its rotation. */
    listPayers: (keyId: string): Promise<string[]> =>
      listIds(database, 'api_keys', (row) =>
        row(
          'quota_id',
          '=',
          row.selectFrom('api_keys as own').select('quota_id').where('own.id', '=', keyId),
        ),
      ),

    /** Whether the quota has any picture that may be free: one charged within the last hour, or being drawn now. */
    hasRecentCharge: (quotaId: string): Promise<boolean> =>
      hasRow(database, 'charges', { quota_id: quotaId }, ({ eb, or }) =>
        or([eb('charged_at', 'is', null), eb('charged_at', '>', dueBefore())]),
      ),

    /** Whether this picture was charged within the last hour. */
    async isPaid(quotaId: string, etag: string): Promise<boolean> {
      const was = await findCharge(database, quotaId, etag);
      return was?.charged_at != null && Number(was.charged_at) > dueBefore();
    },

    /** After `held`, call `settle` or `release`. `paid`: the picture was charged in the last hour, so it is free. */
    async hold(quotaId: string, etag: string, costMilli: number): Promise<'held' | 'paid' | 'insufficient'> {
      return transact(database, async (transaction) => {
        const now = clock();
        const was = await findCharge(transaction, quotaId, etag);
        if (was?.charged_at != null && Number(was.charged_at) > dueBefore()) return 'paid';
        const joins = was !== undefined && was.charged_at === null;
        if (!joins) {
          const { numUpdatedRows } = await transaction
            .updateTable('quotas')
            .set(({ eb }) => ({ remaining_milli: eb('remaining_milli', '-', costMilli) }))
            .where('id', '=', quotaId)
            .where(({ eb, or }) =>
              or([eb('remaining_milli', 'is', null), eb('remaining_milli', '>=', costMilli)]),
            )
            .executeTakeFirstOrThrow();
          if (numUpdatedRows === 0n) return 'insufficient';
        }
        const held = {
          credits_milli: joins ? was.credits_milli : costMilli,
          holders: joins ? was.holders + 1 : 1,
          charged_at: null,
          updated_at: now,
        };
        await transaction
          .insertInto('charges')
          .values({ quota_id: quotaId, etag, ...held })
          .onConflict((conflict) => conflict.columns(['quota_id', 'etag']).doUpdateSet(held))
          .execute();
        return 'held';
      });
    },

    /** Removes one holder. Without holders, the credits are refunded, unless the picture was charged meanwhile. */
    async release(quotaId: string, etag: string): Promise<void> {
      await transact(database, async (transaction) => {
        const was = await findCharge(transaction, quotaId, etag);
        if (!was) return;
        if (was.holders <= 1 && was.charged_at === null) {
          await giveBack(transaction, quotaId, etag, Number(was.credits_milli));
          return;
        }
        const holders = Math.max(0, was.holders - 1);
        await updateRows(transaction, 'charges', { holders }, { quota_id: quotaId, etag });
      });
    },

    /** Charges for the picture, at most once, and counts the picture. Returns the charge and the remaining quota. */
    async settle(sale: Sale): Promise<{ readonly chargedMilli: number; readonly quota: Quota }> {
      return transact(database, async (transaction) => {
        const { keyId, quotaId, costMilli, size } = sale;
        const pays = costMilli > 0 && (await charge(transaction, sale));
        const chargedMilli = pays ? costMilli : 0;
        await addUsage(
          transaction,
          { keyId, at: clock() },
          { [size === 'preview' ? 'previews' : 'full_versions']: 1, credits_milli: chargedMilli },
        );
        const row = await transaction
          .updateTable('quotas')
          .set(({ eb }) => ({ used_milli: eb('used_milli', '+', chargedMilli) }))
          .where('id', '=', quotaId)
          .returningAll()
          .executeTakeFirstOrThrow();
        return { chargedMilli, quota: toQuota(row) };
      });
    },

    /** Refunds abandoned holds and deletes old charges. With `atStart`, every hold counts as abandoned. */
    async sweepCharges({ atStart }: { readonly atStart: boolean }): Promise<void> {
      await transact(database, async (transaction) => {
        const abandoned = await transaction
          .selectFrom('charges')
          .select(['quota_id', 'etag', 'credits_milli'])
          .where('charged_at', 'is', null)
          .$if(!atStart, (query) => query.where('updated_at', '<=', clock() - abandonedMs))
          .execute();
        for (const { quota_id, etag, credits_milli } of abandoned) {
          await giveBack(transaction, quota_id, etag, Number(credits_milli));
        }
        await deleteRows(transaction, 'charges', (row) => row('charged_at', '<=', dueBefore()));
      });
    },

    /** For operators: adds credits, sets the balance, or (with null) lifts the limit. */
    async changeCredits(
      keyId: string,
      change: { readonly add: number } | { readonly set: number | null },
      actor: string,
    ): Promise<void> {
      await transact(database, async (transaction) => {
        const set = 'add' in change || change.set === null ? null : toMilli(change.set);
        await transaction
          .updateTable('quotas')
          .set(({ eb, fn }) => ({
            remaining_milli:
              'add' in change ? eb(fn.coalesce('remaining_milli', eb.lit(0)), '+', toMilli(change.add)) : set,
          }))
          .where('id', '=', ({ selectFrom }) =>
            selectFrom('api_keys').select('quota_id').where('api_keys.id', '=', keyId),
          )
          .execute();
        const details =
          'add' in change ? `added ${change.add}` : set === null ? 'unlimited' : `set to ${change.set}`;
        await noteKeyEvent(transaction, { keyId, action: 'credits', actor, details, at: clock() });
      });
    },
  };
}

const toQuota = (row: { id: string; remaining_milli: number | null; used_milli: number }): Quota => ({
  id: row.id,
  remainingMilli: row.remaining_milli === null ? null : Number(row.remaining_milli),
  usedMilli: Number(row.used_milli),
});
