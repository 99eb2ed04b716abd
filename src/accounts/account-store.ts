/** The rows of accounts and API keys. An account owns designs and may have several keys. */
import type { ExpressionBuilder } from 'kysely';
import { PackshotError } from 'packshot-errors';
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { findRow, hasRow, insertRow, updateRows } from '../storage/rows.ts';
import type { ApiKeyRow, Schema } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import {
  type ApiKey,
  hashApiKey,
  hintOf,
  type KeyMode,
  newApiKey,
  type Scope,
  scopes,
  toApiKey,
  toRateColumns,
} from './api-key.ts';
import { toMilli } from './credit-store.ts';
import { noteKeyEvent } from './key-events.ts';
import type { Rate } from './token-buckets.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** The account that gets the key; default: the first account. */
  readonly accountId?: string;
  /** Whether the key gets an account of its own, which sees nothing of the others. */
  readonly newAccount?: boolean;
  /** Default `live`. */
  readonly mode?: KeyMode;
  /** Initial credits; default: no limit. */
  readonly credits?: number;
  /** Default: the service's rate. */
  readonly rate?: Rate;
  /** The key to replace. The new key inherits the account, mode, rate and quota of the replaced key. */
  readonly successorOf?: ApiKey;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** `actor`: who makes the changes, for the audit log of keys. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createAccountStore(database: Database, clock: () => number, actor = 'service') {
  async function insertKey(secret: string, key: NewKey, transaction: DatabaseOrTransaction): Promise<ApiKey> {
    const now = clock();
    const old = key.successorOf;
    let accountId =
      old?.accountId ?? key.accountId ?? (key.newAccount ? undefined : await findFirstAccount(transaction));
    if (accountId === undefined) {
      accountId = newId('acc');
      const created_at = await afterAllAccounts(now, transaction);
      await insertRow(transaction, 'accounts', { id: accountId, name: key.name, created_at });
    }
    const id = newId('key');
    const row: ApiKeyRow = {
      id,
      account_id: accountId,
      name: key.name,
      hash: hashApiKey(secret),
      hint: hintOf(secret),
      mode: old?.mode ?? key.mode ?? 'live',
      quota_id: old?.quotaId ?? id,
      scopes: JSON.stringify(key.scopes),
      created_at: now,
      expires_at: key.expiresAt?.getTime() ?? null,
      revoked_at: null,
      ...toRateColumns(old ? old.rate : (key.rate ?? null)),
    };
    await insertRow(transaction, 'api_keys', row);
    const remaining_milli = key.credits === undefined ? null : toMilli(key.credits);
    if (!old) await insertRow(transaction, 'quotas', { id, remaining_milli, used_milli: 0 });
    await noteKeyEvent(transaction, {
      ...(old
        ? { keyId: old.id, action: 'rotated', details: `successor ${id}` }
        : { keyId: id, action: 'created', details: `${key.name}; ${key.scopes.join(' ')}; ${row.mode}` }),
      actor,
      at: now,
    });
    return toApiKey(row);
  }

  /** Accounts of the same millisecond would otherwise have no order, and so no first one. */
  async function afterAllAccounts(now: number, transaction: DatabaseOrTransaction): Promise<number> {
    const newest = transaction.selectFrom('accounts').select('created_at').orderBy('created_at', 'desc');
    const last = await newest.limit(1).executeTakeFirst();
    return last ? Math.max(now, Number(last.created_at) + 1) : now;
  }

  async function findFirstAccount(transaction: DatabaseOrTransaction): Promise<string | undefined> {
    const accounts = transaction.selectFrom('accounts').select('id').orderBy('created_at').orderBy('id');
    return (await accounts.limit(1).executeTakeFirst())?.id;
  }

  return {
    /** Returns the key's row, even if the key is revoked or expired; undefined if there is no such key. */
    async findKeyBySecret(secret: string): Promise<ApiKey | undefined> {
      const row = await findRow(database, 'api_keys', { hash: hashApiKey(secret) });
      return row && toApiKey(row);
    },

    /** Returns the key and its secret, which is not stored and cannot be read again. */
    async createKey(key: NewKey): Promise<{ secret: string; key: ApiKey }> {
      const secret = newApiKey(key.successorOf?.mode ?? key.mode ?? 'live');
      return { secret, key: await transact(database, (transaction) => insertKey(secret, key, transaction)) };
    },

    /** Creates the operator's own key, with all scopes, if the key does not exist. Idempotent. */
    async ensureKey(secret: string, name: string): Promise<void> {
      await transact(database, async (transaction) => {
        if (await hasRow(transaction, 'api_keys', { hash: hashApiKey(secret) })) return;
        await insertKey(secret, { name, scopes, expiresAt: null }, transaction);
      });
    },

    /**
     * Creates the key of calls that need no key, if there is none or it was revoked. No caller can send it: its secret
     * is discarded, and it is found by its mode, which no command can give to a key.
     */
    async ensureKeylessKey(key: Pick<NewKey, 'name' | 'scopes'>): Promise<ApiKey> {
      return transact(database, async (transaction) => {
        const row = await transaction
          .selectFrom('api_keys')
          .selectAll()
          .where('mode', '=', 'keyless')
          .where('revoked_at', 'is', null)
          .orderBy('created_at')
          .executeTakeFirst();
        if (row) return toApiKey(row);
        return insertKey(
          newApiKey('keyless'),
          { ...key, mode: 'keyless', newAccount: true, expiresAt: null },
          transaction,
        );
      });
    },

    async listKeys(): Promise<ApiKey[]> {
      const rows = await database.selectFrom('api_keys').selectAll().orderBy('created_at').execute();
      return rows.map(toApiKey);
    },

    async findKey(id: string): Promise<ApiKey | undefined> {
      const row = await findRow(database, 'api_keys', { id });
      return row && toApiKey(row);
    },

    /**
     * Throws if work that the key requested earlier must not continue: `invalid_api_key` if the key was revoked,
     * `expired_api_key` if it has expired. An expired key passes as long as another key of its rotation is valid.
     */
    async requireStanding(id: string): Promise<void> {
      const key = await findRow(database, 'api_keys', { id });
      if (!key || key.revoked_at !== null)
        throw new PackshotError('invalid_api_key', 'The key that requested this was revoked.');
      const now = clock();
      if (key.expires_at === null || Number(key.expires_at) > now) return;
      const successors = { quota_id: key.quota_id, revoked_at: null };
      if (!(await hasRow(database, 'api_keys', successors, expiresAfter(now))))
        throw new PackshotError('expired_api_key', 'The key that requested this has expired.');
    },

    /** Whether there is any key, even if it is revoked or expired. */
    hasKeys: (): Promise<boolean> => hasRow(database, 'api_keys'),

    /** Makes the key expire at this time, unless the key already expires earlier. */
    async expireKey(id: string, at: Date): Promise<void> {
      const expires_at = at.getTime();
      await updateRows(database, 'api_keys', { expires_at }, { id }, expiresAfter(expires_at));
    },

    /** A `rate` of null means the service's default. Running services use the new rate from the key's next call on. */
    async changeRate(id: string, rate: Rate | null): Promise<void> {
      await transact(database, async (transaction) => {
        await updateRows(transaction, 'api_keys', toRateColumns(rate), { id });
        const details = rate ? `${rate.perSecond}/s, burst ${rate.burst}` : "the service's own";
        await noteKeyEvent(transaction, { keyId: id, action: 'rate', details, actor, at: clock() });
      });
    },

    async revokeKey(id: string): Promise<void> {
      await transact(database, async (transaction) => {
        const at = clock();
        if (await updateRows(transaction, 'api_keys', { revoked_at: at }, { id, revoked_at: null }))
          await noteKeyEvent(transaction, { keyId: id, action: 'revoked', details: null, actor, at });
      });
    },
  };
}

const expiresAfter =
  (time: number) =>
  ({ eb, or }: ExpressionBuilder<Schema, 'api_keys'>) =>
    or([eb('expires_at', 'is', null), eb('expires_at', '>', time)]);
