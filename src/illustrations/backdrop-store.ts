/** Database rows of callers' own backdrops. `findBackdrop` does not check the account; its caller must check it. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import { createLifetime } from '../storage/lifetime.ts';
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
  async function remove(
    id: string,
    condition: (row: ExpressionBuilder<Schema, 'backdrops'>) => Expression<SqlBool>,
  ): Promise<boolean> {
    return transact(database, async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('backdrops')
        .where('id', '=', id)
        .where(condition)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await transaction.deleteFrom('idempotent_answers').where('owner_id', '=', id).execute();
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
      await database.insertInto('backdrops').values(row).execute();
      return toBackdrop(row);
    },

    /** Returns undefined for unknown, deleted and expired backdrops. One that a look shows does not expire. */
    async findBackdrop(id: string): Promise<Backdrop | undefined> {
      const row = await database
        .selectFrom('backdrops')
        .selectAll()
        .where('id', '=', id)
        .where((row) => row.not(isOver(row)))
        .executeTakeFirst();
      return row && toBackdrop(row);
    },

    /** Extends the backdrop's expiry. */
    async touchBackdrop(id: string): Promise<void> {
      const now = clock();
      await database
        .updateTable('backdrops')
        .set({ last_used_at: now, expires_at: expiryFrom(now) })
        .where('id', '=', id)
        .where('last_used_at', '<=', now - touchEveryMs)
        .execute()
        // A read must not fail because the disk is full or read-only; if the write fails, the old expiry stays.
        .catch(() => undefined);
    },

    /** For sweeps. Does not extend the backdrop's expiry. */
    async hasBackdrop(id: string): Promise<boolean> {
      const row = await database.selectFrom('backdrops').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes the backdrop if it belongs to the account; returns whether it did. */
    removeBackdrop: (id: string, accountId: string) => remove(id, (row) => row('account_id', '=', accountId)),

    /** Deletes an expired backdrop of any account. One that was used after it had been listed as expired is kept. */
    removeExpired: (id: string) => remove(id, isOver),

    async listExpired(): Promise<string[]> {
      const rows = await database.selectFrom('backdrops').select('id').where(isOver).execute();
      return rows.map(({ id }) => id);
    },
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
