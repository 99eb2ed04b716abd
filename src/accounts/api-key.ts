/** API keys: their format and hash, and the rows that hold them. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { base62Alphabet, randomBase62 } from '../ids.ts';
import type { ApiKeyRow } from '../storage/schema.ts';
import type { Rate } from './token-buckets.ts';

export const scopes = ['upload', 'suggest', 'render', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Returns `psk_live_` or `psk_test_`, 30 random base62 characters (178 bits) and a CRC-32 of 6 characters. With the
 * CRC-32, secret scanners can verify a candidate. A double click selects the whole key, because it contains only
 * letters, digits and underscores.
 */
export function newApiKey(mode: KeyMode): string {
  const body = `psk_${mode}_${randomBase62(30)}`;
  return body + checksum(body);
}

/** A key's mode is stored in its row. The prefix does not decide it: operators can choose keys with any prefix. */
export type KeyMode = 'live' | 'test' | 'keyless';

/** Of a key, only this hash and the hint are stored. Looking a key up by its hash leaks nothing through timing. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the start of a key: long enough to recognize the key, but far too short to guess the rest. */
export function hintOf(key: string): string {
  return key.startsWith('psk_') ? `${key.slice(0, 13)}…` : `${key.slice(0, 4)}…`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = base62Alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

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
