/**
 * Secrets that the service generates, such as the one that signs URIs. The row with the secret's name holds the
 * signing secret. Rows named `name/…` hold retired secrets, which still verify signatures until they expire.
 */
import { randomBytes } from 'node:crypto';
import type { Database, DatabaseOrTransaction } from './database.ts';
import { transact } from './transact.ts';

/** Implements `SigningSecrets.refresh` of recipes. */
export interface OpenSecrets {
  /** The first secret signs, all of them verify. */
  all(): readonly string[];
  /** Re-reads the secrets, at most once per second. Never rejects. */
  refresh(): Promise<void>;
  close(): void;
}

export interface SecretFacts {
  readonly name: string;
  readonly createdAt: Date;
  /** Null for the signing secret. */
  readonly verifiesUntil: Date | null;
}

/** A process that only signs, and never verifies, learns of a rotation within this time. */
const lookEveryMs = 30_000;
/** Minimum interval between refreshes: a flood of bad signatures causes at most one query in this time. */
const refreshEveryMs = 1_000;

/** Opens the secrets of this name; creates the first one if needed. */
export async function openSecrets(
  database: Database,
  name: string,
  { clock, onError }: { readonly clock: () => number; readonly onError: (error: unknown) => void },
): Promise<OpenSecrets> {
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
      // Keep using the known secrets.
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
    all: () => rows.filter((row) => isBelieved(row, clock())).map(({ value }) => value),
    refresh: async () => {
      if (looking || Math.abs(clock() - lookedAt) >= refreshEveryMs) await lookOnce();
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

/**
 * Makes a new secret sign from now on. The previous secret still verifies for `overlapMs`, and no older secret verifies
 * for longer; 0 ends all of them at once.
 */
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
      await transaction
        .updateTable('secrets')
        .set({ verifies_until: until })
        .where('name', '=', row.name)
        .execute();
    }
    const { value, created_at } = rows.find((row) => row.name === name)!;
    const retired = {
      name: `${name}/${randomBytes(8).toString('hex')}`,
      value,
      created_at,
      verifies_until: until,
    };
    await transaction.insertInto('secrets').values(retired).execute();
    await transaction
      .updateTable('secrets')
      .set({ value: newSecret(), created_at: now })
      .where('name', '=', name)
      .execute();
    await transaction.deleteFrom('secrets').where('verifies_until', '<=', now).execute();
  });
}

/** Lists the signing secret, then the secrets that still verify, newest first. Never returns the secrets' values. */
export async function listSecrets(
  database: Database,
  name: string,
  clock: () => number,
): Promise<SecretFacts[]> {
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

/** 256 random bits, hex. */
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
