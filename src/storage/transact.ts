/** Transactions, all of them: as if one came after the other, whatever the database and however many processes. */
import type { Transaction } from 'kysely';
import PQueue from 'p-queue';
import type { Database, DatabaseOrTransaction } from './database.ts';
import { aloneMode, waitUntilAlone } from './postgres.ts';
import type { Schema } from './schema.ts';
import { isConflict } from './storage-errors.ts';

const mostTries = 20;

/**
 * Commits what `work` does, or nothing of it. Serializable: PostgreSQL ends a transaction that did not happen as if it
 * were alone, and `work` runs again. So it touches nothing but its transaction; all else comes after the commit.
 * https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html. SQLite has one writer at a time,
 * and never repeats. Throws what `work` throws, and `storage_unavailable`.
 */
export async function transact<T>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  async function tryOnce({ alone }: { readonly alone: boolean }): Promise<T> {
    const hooks: (() => void)[] = [];
    const builder = database.transaction().setIsolationLevel('serializable');
    const result = await (alone ? builder.setAccessMode(aloneMode) : builder).execute(async (transaction) => {
      hooksOf.set(transaction, hooks);
      if (alone) await waitUntilAlone(transaction);
      return work(transaction);
    });
    for (const hook of hooks) hook();
    return result;
  }
  try {
    return await tryOnce({ alone: false });
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  // One after the other, so that no more than one connection of this process waits for its turn.
  return lineOf(database).add(async () => {
    for (let tries = 2; ; tries++) {
      try {
        return await tryOnce({ alone: true });
      } catch (error) {
        if (tries === mostTries || !isConflict(error)) throw error;
      }
    }
  });
}

/** For what is to be told once the transaction is committed, and not before; at once where it is none. */
export function afterCommit(transaction: DatabaseOrTransaction, hook: () => void): void {
  const hooks = hooksOf.get(transaction);
  if (hooks) hooks.push(hook);
  else hook();
}
const hooksOf = new WeakMap<DatabaseOrTransaction, (() => void)[]>();

/** Of this process, and this database. */
function lineOf(database: Database): PQueue {
  const line = lines.get(database) ?? new PQueue({ concurrency: 1 });
  lines.set(database, line);
  return line;
}
const lines = new WeakMap<Database, PQueue>();
