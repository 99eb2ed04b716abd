/** Serializable transactions on both databases, for any number of processes. */
import type { Transaction } from 'kysely';
import PQueue from 'p-queue';
import type { Database, DatabaseOrTransaction } from './database.ts';
import { aloneMode, waitUntilAlone } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { isConflict } from './storage-errors.ts';

const maxTries = 20;

/**
 * Runs `work` in a serializable transaction. PostgreSQL aborts a transaction that conflicts with another one; `work`
 * then runs again (https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html). So `work` must
 * not change anything outside its transaction; use `afterCommit` for that. SQLite has only one writer at a time and
 * never repeats `work`. Throws the errors of `work`, and `storage_unavailable`.
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
  // On PostgreSQL, a retry takes an exclusive lock, so that it runs alone (`waitUntilAlone`). A process runs its
  // retries one by one, so that at most one of its connections waits for this lock.
  return queueOf(database).add(async () => {
    for (let tries = 2; ; tries++) {
      try {
        return await tryOnce({ alone: true });
      } catch (error) {
        if (tries === maxTries || !isConflict(error)) throw error;
      }
    }
  });
}

/** Runs `hook` after the transaction commits, or immediately outside a transaction. */
export function afterCommit(transaction: DatabaseOrTransaction, hook: () => void): void {
  const hooks = hooksOf.get(transaction);
  if (hooks) hooks.push(hook);
  else hook();
}
const hooksOf = new WeakMap<DatabaseOrTransaction, (() => void)[]>();

/** Returns the queue of this process's retries on this database. */
function queueOf(database: Database): PQueue {
  const line = queues.get(database) ?? new PQueue({ concurrency: 1 });
  queues.set(database, line);
  return line;
}
const queues = new WeakMap<Database, PQueue>();
