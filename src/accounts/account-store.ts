/** The rows of accounts and API keys. An account owns designs and may have several keys. */
import { PackshotError } from 'packshot-errors';
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { ApiKeyRow } from '../storage/schema.ts';
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
      await transaction
        .insertInto('accounts')
        .values({ id: accountId, name: key.name, created_at: await afterAllAccounts(now, transaction) })
        .execute();
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
    await transaction.insertInto('api_keys').values(row).execute();
    if (!old) {
      const remaining = key.credits === undefined ? null : toMilli(key.credits);
      await transaction
        .insertInto('quotas')
        .values({ id, remaining_milli: remaining, used_milli: 0 })
        .execute();
    }
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
      const row = await database
        .selectFrom('api_keys')
        .selectAll()
        .where('hash', '=', hashApiKey(secret))
        .executeTakeFirst();
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
        const known = await transaction
          .selectFrom('api_keys')
          .select('id')
          .where('hash', '=', hashApiKey(secret))
          .executeTakeFirst();
        if (!known) await insertKey(secret, { name, scopes, expiresAt: null }, transaction);
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
      const row = await database.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toApiKey(row);
    },

    /**
     * Throws if work that the key requested earlier must not continue: `invalid_api_key` if the key was revoked,
     * `expired_api_key` if it has expired. An expired key passes as long as another key of its rotation is valid.
     */
    async requireStanding(id: string): Promise<void> {
      const key = await database.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
      if (!key || key.revoked_at !== null)
        throw new PackshotError('invalid_api_key', 'The key that requested this was revoked.');
      const now = clock();
      if (key.expires_at === null || Number(key.expires_at) > now) return;
      const successor = await database
        .selectFrom('api_keys')
        .select('id')
        .where('quota_id', '=', key.quota_id)
        .where('id', '!=', id)
        .where('revoked_at', 'is', null)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .limit(1)
        .executeTakeFirst();
      if (!successor) throw new PackshotError('expired_api_key', 'The key that requested this has expired.');
    },

    /** Whether there is any key, even if it is revoked or expired. */
    async hasKeys(): Promise<boolean> {
      return (await database.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    /** Makes the key expire at this time, unless the key already expires earlier. */
    async expireKey(id: string, at: Date): Promise<void> {
      await database
        .updateTable('api_keys')
        .set({ expires_at: at.getTime() })
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at.getTime())]))
        .execute();
    },

    /** A `rate` of null means the service's default. Running services use the new rate from the key's next call on. */
    async changeRate(id: string, rate: Rate | null): Promise<void> {
      await transact(database, async (transaction) => {
        await transaction.updateTable('api_keys').set(toRateColumns(rate)).where('id', '=', id).execute();
        const details = rate ? `${rate.perSecond}/s, burst ${rate.burst}` : "the service's own";
        await noteKeyEvent(transaction, { keyId: id, action: 'rate', details, actor, at: clock() });
      });
    },

    async revokeKey(id: string): Promise<void> {
      await transact(database, async (transaction) => {
        const now = clock();
        const { numUpdatedRows } = await transaction
          .updateTable('api_keys')
          .set({ revoked_at: now })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) {
          await noteKeyEvent(transaction, { keyId: id, action: 'revoked', details: null, actor, at: now });
        }
      });
    },
  };
}
