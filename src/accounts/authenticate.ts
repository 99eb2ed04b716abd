/** Resolves the X-Api-Key header to the calling account, or to the reason for a refusal. */
import { PackshotError } from 'packshot-errors';
import type { AccountStore } from './account-store.ts';
import type { ApiKey, Scope } from './api-key.ts';
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
  /** Seconds that a call beyond its key's rate waits before it is refused. */
  readonly ratePatienceS: number;
  /** Wrong keys per minute after which their network address is throttled. A correct key still works from there. */
  readonly wrongKeysPerMinute: number;
}

export interface Authentication {
  /** Values for the rate limit headers; undefined if the call was not counted. */
  readonly rate: BucketState | undefined;
  readonly outcome: { readonly caller: Caller } | { readonly refusal: PackshotError };
}

type RateUnit = 'second' | 'minute';

const refuse = (refusal: PackshotError, rate?: BucketState): Authentication => ({
  rate,
  outcome: { refusal },
});

const tooMany = (why: string, { retryAfterS }: BucketState) =>
  new PackshotError('rate_limited', `${why}; Retry-After says how long to wait.`, { retryAfterS });

const invalidKey = (detail: string, rate?: BucketState): Authentication =>
  refuse(new PackshotError('invalid_api_key', detail), rate);

/** The returned function counts a call of a key that exists, and refuses it if the key may not make it. */
function createKeyAdmission(
  limits: Omit<AccountLimits, 'wrongKeysPerMinute'>,
  clock: () => number,
  /** Counts the calls of each key; by default, within this process only. */
  calls: RateLimiter = new TokenBuckets({ ...rateOf(limits), clock }),
) {
  /** Calls of drop-in interfaces are counted by the minute, as their services do: clients may send them in bursts. */
  return async function admitKey(key: ApiKey, unit: RateUnit = 'second'): Promise<Authentication> {
    const keyRate = key.rate ?? { perSecond: limits.ratePerSecond, burst: limits.rateBurst };
    const perMinute = dropInsPerMinute(keyRate);
    const rate = await (unit === 'second'
      ? calls.take(key.id, keyRate)
      : calls.take(`${key.id}/minute`, { perSecond: perMinute / 60, burst: perMinute }));
    const why =
      unit === 'second' ? describeRate(keyRate) : `This key may make ${perMinute} calls a minute here`;
    if (!rate.allowed) return refuse(tooMany(why, rate), rate);
    if (key.expiresAt && key.expiresAt.getTime() <= clock()) {
      const detail = 'This key has expired. Ask the operator for a new one.';
      return refuse(new PackshotError('expired_api_key', detail), rate);
    }
    const { accountId, id: keyId, scopes, mode } = key;
    const caller = { accountId, keyId, scopes, sandbox: mode === 'test', rate: keyRate };
    return { rate, outcome: { caller } };
  };
}

/** remove.bg's limit, unless the service's own is lower. */
export const dropInsPerMinute = ({ perSecond }: Rate): number => Math.min(500, Math.ceil(60 * perSecond));

const describeRate = ({ perSecond, burst }: Rate): string =>
  `This key may make ${perSecond} ${perSecond === 1 ? 'call' : 'calls'} a second, and ${burst} at once`;

/** Authenticates all calls as one key, whatever they send: for a port that needs no key. */
export function authenticateAs(
  keyId: string,
  accounts: Pick<AccountStore, 'findKey'>,
  ...means: Parameters<typeof createKeyAdmission>
): Authenticator {
  const admitKey = createKeyAdmission(...means);
  return async (_secret, _address, unit) => {
    const key = await accounts.findKey(keyId);
    return key && !key.revokedAt
      ? admitKey(key, unit)
      : invalidKey('The operator has revoked the key of this port.');
  };
}

/** The returned function resolves even for a refused call, and rejects only on storage faults. */
export function createAuthenticator(
  accounts: AccountStore,
  limits: AccountLimits,
  clock: () => number,
  calls?: RateLimiter,
) {
  const admitKey = createKeyAdmission(limits, clock, calls);
  const wrongKeys = new TokenBuckets({
    perSecond: limits.wrongKeysPerMinute / 60,
    burst: limits.wrongKeysPerMinute,
    clock,
  });

  return async function authenticate(
    secret: string | undefined,
    address: string,
    unit?: RateUnit,
  ): Promise<Authentication> {
    if (secret === undefined || secret === '')
      return refuse(new PackshotError('missing_api_key', 'Send your key in the X-Api-Key header.'));
    const key = await accounts.findKeyBySecret(secret);
    if (!key || key.revokedAt) {
      const rate = wrongKeys.take(networkOf(address));
      const why = 'Too many calls with wrong keys came from this address';
      if (!rate.allowed) return refuse(tooMany(why, rate), rate);
      const detail =
        'This is not a valid key. Check that the header contains all of it, or ask the operator for a new one.';
      return invalidKey(detail, rate);
    }
    return admitKey(key, unit);
  };
}

export const rateOf = (limits: Omit<AccountLimits, 'wrongKeysPerMinute'>): Rate => ({
  perSecond: limits.ratePerSecond,
  burst: limits.rateBurst,
  patienceS: limits.ratePatienceS,
});

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Throws `scope_denied`. `admin` includes every scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope) || caller.scopes.includes('admin')) return;
  throw new PackshotError('scope_denied', `This call needs a key with the scope "${scope}".`);
}
