/** Resolves the X-Api-Key header to the calling account, or to the reason for a refusal. */
import { PackshotError } from '../errors.ts';
import type { AccountStore } from './account-store.ts';
import type { Scope } from './api-key.ts';
import { networkOf } from './network-of.ts';
import { type BucketState, type Rate, type RateLimiter, TokenBuckets } from './token-buckets.ts';

export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Whether the key is a sandbox key: its calls are free, and its full versions carry a SAMPLE watermark. */
  readonly sandbox: boolean;
  readonly rate: Rate;
}

export interface AccountLimits {
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  /** Wrong keys per minute after which their network address is throttled. A correct key still works from there. */
  readonly wrongKeysPerMinute: number;
}

export interface Authentication {
  /** Values for the rate limit headers; undefined if the call was not counted. */
  readonly rate: BucketState | undefined;
  readonly outcome: { readonly caller: Caller } | { readonly refusal: PackshotError };
}

/** The returned function resolves even for a refused call, and rejects only on storage faults. */
export function createAuthenticator(
  accounts: AccountStore,
  limits: AccountLimits,
  clock: () => number,
  /** Counts the calls of each key; by default, within this process only. */
  calls: RateLimiter = new TokenBuckets({ perSecond: limits.ratePerSecond, burst: limits.rateBurst, clock }),
) {
  const wrongKeys = new TokenBuckets({
    perSecond: limits.wrongKeysPerMinute / 60,
    burst: limits.wrongKeysPerMinute,
    clock,
  });

  const tooMany = (rate: BucketState) =>
    new PackshotError('rate_limited', 'Slow down; the Retry-After header says how long to wait.', {
      retryAfterS: rate.retryAfterS,
    });

  const refuse = (refusal: PackshotError, rate?: BucketState): Authentication => ({
    rate,
    outcome: { refusal },
  });

  return async function authenticate(secret: string | undefined, address: string): Promise<Authentication> {
    if (secret === undefined || secret === '')
      return refuse(new PackshotError('missing_api_key', 'Send your key in the X-Api-Key header.'));
    const key = await accounts.findKeyBySecret(secret);
    if (!key || key.revokedAt) {
      const rate = wrongKeys.take(networkOf(address));
      if (!rate.allowed) return refuse(tooMany(rate), rate);
      const detail =
        'This is not a valid key. Check that the header contains all of it, or ask the operator for a new one.';
      return refuse(new PackshotError('invalid_api_key', detail), rate);
    }
    const rate = await calls.take(key.id, key.rate ?? undefined);
    if (!rate.allowed) return refuse(tooMany(rate), rate);
    if (key.expiresAt && key.expiresAt.getTime() <= clock()) {
      const detail = 'This key has expired. Ask the operator for a new one.';
      return refuse(new PackshotError('expired_api_key', detail), rate);
    }
    const { accountId, id: keyId, scopes, mode } = key;
    const keyRate = key.rate ?? { perSecond: limits.ratePerSecond, burst: limits.rateBurst };
    const caller = { accountId, keyId, scopes, sandbox: mode === 'test', rate: keyRate };
    return { rate, outcome: { caller } };
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Throws `scope_denied`. `admin` includes every scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope) || caller.scopes.includes('admin')) return;
  throw new PackshotError('scope_denied', `This call needs a key with the scope "${scope}".`);
}
