/** An API key, and the row that holds it. */
import { z } from 'zod';
import type { ApiKeyRow } from '../storage/schema.ts';
import { type KeyMode, type Scope, scopes } from './api-key.ts';
import type { Rate } from './token-buckets.ts';

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hint: string;
  /** `test` means a sandbox key. */
  readonly mode: KeyMode;
  /** ID of the quota. A key that replaced another by rotation has the same quota. */
  readonly quotaId: string;
  readonly scopes: readonly Scope[];
  /** Null means the service's default rate. */
  readonly rate: Rate | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export const toRateColumns = (rate: Rate | null) => ({
  rate_per_second: rate?.perSecond ?? null,
  rate_burst: rate?.burst ?? null,
});

const scopesSchema = z.array(z.enum(scopes));

export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.hint,
    mode: row.mode,
    quotaId: row.quota_id,
    scopes: scopesSchema.parse(JSON.parse(row.scopes)),
    rate:
      row.rate_per_second === null || row.rate_burst === null
        ? null
        : { perSecond: row.rate_per_second, burst: row.rate_burst },
    createdAt: new Date(Number(row.created_at)),
    expiresAt: row.expires_at === null ? null : new Date(Number(row.expires_at)),
    revokedAt: row.revoked_at === null ? null : new Date(Number(row.revoked_at)),
  };
}
