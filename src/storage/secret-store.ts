/**
 * Secrets that the service generates, such as the secret that signs URIs. The row with the secret's name holds the
 * secret that signs. Each row named `name/…` holds an earlier secret, which verifies signatures until it expires.
 */
import { randomBytes } from 'node:crypto';
import type { Database, DatabaseOrTransaction } from './database.ts';
import { deleteRows, insertRow, updateRows } from './rows.ts';
import { transact } from './transact.ts';

export type OpenSecrets = Awaited<ReturnType<typeof openSecrets>>;

/**
 * Polling interval in milliseconds. A process that verifies signatures refreshes when one does not match; a process
 * that only signs learns of a rotation only by polling.
 */
const lookEveryMs = 30_000;
/** Minimum milliseconds between refreshes: even a flood of bad signatures causes no more queries than that. */
const refreshEveryMs = 1_000;

/** Opens the secrets of this name. Creates the first secret if there is none. */
export async function openSecrets(
  database: Database,
  name: string,
  { clock, onError }: { readonly clock: () => number; readonly onError: (error: unknown) => void },
) {
  await ensureSecret(database, name, clock);
  let rows = await listRows(database, name);
  let lookedAt = clock();
  let looking: Promise<void> | undefined;
  let closed = false;

  async function look(): Promise<void> {
    lookedAt = clock();
    try {
      rows = await listRows(database, name);
    } catch (error) {
      // Keep the secrets that are already known.
      if (!closed) onError(error);
    }
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const timer = setInterval(() => void lookOnce(), lookEveryMs).unref();
  return {
    /** The first secret signs; every secret verifies. */
    all: (): readonly string[] => rows.filter((row) => isBelieved(row, clock())).map(({ value }) => value),
    /** Reads the secrets again, but at most once per second. Never rejects. */
    async refresh(): Promise<void> {
      if (looking || Math.abs(clock() - lookedAt) >= refreshEveryMs) await lookOnce();
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

/** A new secret signs from now on. Earlier ones verify for at most `overlapMs` more; with 0, not at all. */
export async function rotateSecret(
  database: Database,
  name: string,
  { clock, overlapMs }: { readonly clock: () => number; readonly overlapMs: number },
): Promise<void> {
  await ensureSecret(database, name, clock);
  const now = clock();
  const until = now + overlapMs;
  await transact(database, async (transaction) => {
    const rows = await listRows(transaction, name);
    for (const row of rows) {
      if (row.verifies_until === null || Number(row.verifies_until) <= until) continue;
      await updateRows(transaction, 'secrets', { verifies_until: until }, { name: row.name });
    }
    const { value, created_at } = rows.find((row) => row.name === name)!;
    const retired = `${name}/${randomBytes(8).toString('hex')}`;
    await insertRow(transaction, 'secrets', { name: retired, value, created_at, verifies_until: until });
    await updateRows(transaction, 'secrets', { value: newSecret(), created_at: now }, { name });
    await deleteRows(transaction, 'secrets', (row) => row('verifies_until', '<=', now));
  });
}

/** Lists the secret that signs, then those that still verify, newest first. Never returns the values of secrets. */
export async function listSecrets(database: Database, name: string, clock: () => number) {
  const rows = await listRows(database, name);
  return rows
    .filter((row) => isBelieved(row, clock()))
    .map(({ created_at, verifies_until: until }) => ({
      name,
      createdAt: new Date(Number(created_at)),
      verifiesUntil: until === null ? null : new Date(Number(until)),
    }));
}

async function ensureSecret(database: Database, name: string, clock: () => number): Promise<void> {
  await database
    .insertInto('secrets')
    .values({ name, value: newSecret(), created_at: clock(), verifies_until: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

const newSecret = (): string => randomBytes(32).toString('hex');

async function listRows(database: DatabaseOrTransaction, name: string) {
  const rows = await database
    .selectFrom('secrets')
    .selectAll()
    .where((row) => row.or([row('name', '=', name), row('name', 'like', `${name}/%`)]))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.toSorted((a, b) => Number(b.name === name) - Number(a.name === name));
}

const isBelieved = (row: { readonly verifies_until: number | null }, now: number): boolean =>
  row.verifies_until === null || Number(row.verifies_until) > now;
