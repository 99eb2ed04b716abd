import { PackshotError } from 'packshot-errors';
import { readScenePlan } from 'packshot-studio';
import type { Database } from '../storage/database.ts';
import { countRows, deleteRows, findRow, insertRow, updateRows } from '../storage/rows.ts';
import type { LookRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import { idOfLook, type Look, type LookContent, mayBeLook } from './look.ts';

interface NewLook {
  readonly accountId: string;
  readonly content: LookContent;
  /** Undefined to keep the title of an existing look, or to give a new look the `suggestedTitle`. */
  readonly title: string | undefined;
  readonly suggestedTitle: string;
}

export type LookStore = ReturnType<typeof createLookStore>;

export function createLookStore(
  database: Database,
  { clock, maxPerAccount }: { readonly clock: () => number; readonly maxPerAccount: number },
) {
  return {
    /** Idempotent: equal content is the same look, and a new title replaces the old title. Throws `too_many_looks`. */
    async keepLook({ accountId, content, title, suggestedTitle }: NewLook): Promise<Look> {
      const id = idOfLook(accountId, content);
      const row = await transact(database, async (transaction) => {
        const known = await findRow(transaction, 'looks', { id });
        if (known) {
          if (title === undefined || title === known.title) return known;
          await updateRows(transaction, 'looks', { title }, { id });
          return { ...known, title };
        }
        const count = await countRows(transaction, 'looks', { account_id: accountId });
        if (count >= maxPerAccount) throw tooMany(maxPerAccount);
        const added: LookRow = {
          id,
          account_id: accountId,
          title: title ?? suggestedTitle,
          content: JSON.stringify(content),
          created_at: clock(),
        };
        await insertRow(transaction, 'looks', added);
        return added;
      });
      return toLook(row);
    },

    /** Newest first. Leaves out looks whose scene can no longer be drawn, or one of them would fail the whole list. */
    async listLooks(accountId: string): Promise<Look[]> {
      const rows = await database
        .selectFrom('looks')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => {
        try {
          return [toLook(row)];
        } catch (error) {
          if (error instanceof PackshotError && error.code === 'scene_outdated') return [];
          throw error;
        }
      });
    },

    /** Undefined if the account has no such look. */
    async findLook(id: string, accountId: string): Promise<Look | undefined> {
      if (!mayBeLook(id)) return undefined;
      const row = await findRow(database, 'looks', { id, account_id: accountId });
      return row && toLook(row);
    },

    /** Regardless of account: the caller must check access. */
    async findAnyLook(id: string): Promise<Look | undefined> {
      const row = await findRow(database, 'looks', { id });
      return row && toLook(row);
    },

    /** Returns whether the account had this look. */
    async removeLook(id: string, accountId: string): Promise<boolean> {
      return transact(database, async (transaction) => {
        if (!(await deleteRows(transaction, 'looks', { id, account_id: accountId }))) return false;
        await deleteRows(transaction, 'idempotent_answers', { owner_id: id });
        return true;
      });
    },
  };
}

function tooMany(maxPerAccount: number): PackshotError {
  return new PackshotError(
    'too_many_looks',
    `An account may have ${maxPerAccount} looks. Delete one with DELETE /v1/looks/{id}.`,
  );
}

function toLook(row: LookRow): Look {
  const stored: LookContent = JSON.parse(row.content);
  return {
    id: row.id,
    accountId: row.account_id,
    title: row.title,
    content: 'plan' in stored ? { ...stored, plan: readScenePlan(stored.plan) } : stored,
    createdAt: new Date(Number(row.created_at)),
  };
}
