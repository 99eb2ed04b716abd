/** Database rows of callers' own backdrops. `findBackdrop` does not check the account; its caller must check it. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import { createLifetime } from '../storage/lifetime.ts';
import { deleteRows, findRow, hasRow, insertRow, listIds, updateRows } from '../storage/rows.ts';
import type { BackdropRow, Schema } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import type { Backdrop } from './illustration.ts';

export type BackdropStore = ReturnType<typeof createBackdropStore>;

export function createBackdropStore(
  database: Database,
  { clock, retentionMs }: { readonly clock: () => number; readonly retentionMs: number | null },
) {
  const { touchEveryMs, expiryFrom } = createLifetime(retentionMs);

  /** No look of the account shows it, as its backdrop or as its logo. The content of a look contains its uploads' ids. */
  const isUnused = ({ not, exists, selectFrom }: ExpressionBuilder<Schema, 'backdrops'>) =>
    not(
      exists(
        selectFrom('looks')
          .select('looks.id')
          .whereRef('looks.account_id', '=', 'backdrops.account_id')
          .where(sql<boolean>`looks.content like '%' || backdrops.id || '%'`),
      ),
    );

  const isOver = (row: ExpressionBuilder<Schema, 'backdrops'>): Expression<SqlBool> =>
    row.and([row('expires_at', 'is not', null), row('expires_at', '<=', clock()), isUnused(row)]);

  /** Deletes the backdrop and the idempotent responses that name it, if the condition holds. Returns whether it did. */
  async function remove(id: string, condition: typeof isOver): Promise<boolean> {
    return transact(database, async (transaction) => {
      if (!(await deleteRows(transaction, 'backdrops', { id }, condition))) return false;
      await deleteRows(transaction, 'idempotent_answers', { owner_id: id });
      return true;
    });
  }

  return {
    async insertBackdrop(values: Pick<Backdrop, 'id' | 'accountId' | 'image'>): Promise<Backdrop> {
      const now = clock();
      const row: BackdropRow = {
        id: values.id,
        account_id: values.accountId,
        image: JSON.stringify(values.image),
        created_at: now,
        last_used_at: now,
        expires_at: expiryFrom(now),
        stored_bytes: values.image.bytes,
      };
      await insertRow(database, 'backdrops', row);
      return toBackdrop(row);
    },

    /** Returns undefined for unknown, deleted and expired backdrops. One that a look shows does not expire. */
    async findBackdrop(id: string): Promise<Backdrop | undefined> {
      const row = await findRow(database, 'backdrops', { id }, (row) => row.not(isOver(row)));
      return row && toBackdrop(row);
    },

    /** Extends the backdrop's expiry. */
    async touchBackdrop(id: string): Promise<void> {
      const now = clock();
      const renewed = { last_used_at: now, expires_at: expiryFrom(now) };
      // A read must not fail because the disk is full or read-only; if the write fails, the old expiry stays.
      await updateRows(database, 'backdrops', renewed, { id }, (row) =>
        row('last_used_at', '<=', now - touchEveryMs),
      ).catch(() => undefined);
    },

    /** For sweeps. Does not extend the backdrop's expiry. */
    hasBackdrop: (id: string): Promise<boolean> => hasRow(database, 'backdrops', { id }),

    /** Deletes the backdrop if it belongs to the account; returns whether it did. */
    removeBackdrop: (id: string, accountId: string) => remove(id, (row) => row('account_id', '=', accountId)),

    /** Deletes an expired backdrop of any account. One that was used after it had been listed as expired is kept. */
    removeExpired: (id: string) => remove(id, isOver),

    listExpired: (): Promise<string[]> => listIds(database, 'backdrops', isOver),
  };
}

function toBackdrop(row: BackdropRow): Backdrop {
  return {
    kind: 'backdrop',
    id: row.id,
    designId: '',
    accountId: row.account_id,
    image: JSON.parse(row.image),
    createdAt: new Date(Number(row.created_at)),
    expiresAt: row.expires_at === null ? null : new Date(Number(row.expires_at)),
  };
}
