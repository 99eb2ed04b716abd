/** Rate limits within one process: token buckets with a steady refill and a burst, as described in RFC 2697. */
import { LRUCache } from 'lru-cache';

export interface BucketState {
  readonly allowed: boolean;
  /** Tokens in a full bucket. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full. */
  readonly resetS: number;
  /** Whole seconds until a call is accepted again; at least 1. */
  readonly retryAfterS: number;
  /** Milliseconds until the token of this call is there. An accepted call has to wait for so long before it goes on. */
  readonly waitMs: number;
}

export interface Rate {
  /** Calls per second that can be sustained: the tokens added per second. */
  readonly perSecond: number;
  /** Maximum calls in a burst: the number of tokens in a full bucket. */
  readonly burst: number;
  /** Seconds that a call beyond the rate may wait for its token before it is refused; default 0. */
  readonly patienceS?: number;
}

export interface RateLimiter {
  /** Takes one token if there is one. `own` is the caller's own rate, if the caller has one. */
  take(caller: string, own?: Rate): BucketState | Promise<BucketState>;
}

/** Describes a bucket after a call that took a token or was refused. */
export function describeBucket(allowed: boolean, tokens: number, rate: Rate): BucketState {
  const { perSecond, burst } = rate;
  return {
    allowed,
    limit: burst,
    remaining: Math.max(0, Math.floor(tokens)),
    resetS: Math.ceil((burst - tokens) / perSecond),
    retryAfterS: Math.max(1, Math.ceil((leastTokens(rate) - tokens) / perSecond)),
    waitMs: allowed ? Math.max(0, (-tokens / perSecond) * 1_000) : 0,
  };
}

/** With fewer tokens, a call is refused. Below 1, the call waits for a token that is not there yet. */
export const leastTokens = ({ perSecond, patienceS = 0 }: Rate): number => 1 - perSecond * patienceS;

/**
 * Maximum buckets in memory; beyond that, the least recently used are dropped. Most buckets that are dropped are
 * full by then, and a full bucket has the same effect as no bucket.
 */
const maxBuckets = 10_000;

export class TokenBuckets implements RateLimiter {
  readonly #rate: Rate;
  readonly #clock: () => number;
  readonly #buckets = new LRUCache<string, { tokens: number; at: number }>({ max: maxBuckets });

  constructor({ clock, ...rate }: Rate & { readonly clock: () => number }) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Takes one token if there is one. */
  take(caller: string, own: Rate = this.#rate): BucketState {
    const rate = { ...this.#rate, ...own };
    const { perSecond, burst } = rate;
    const now = this.#clock();
    const bucket = this.#buckets.get(caller);
    // If the clock jumps back, no tokens may be removed.
    const elapsedS = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
    const refilled = Math.min(burst, (bucket?.tokens ?? burst) + elapsedS * perSecond);
    const allowed = refilled >= leastTokens(rate);
    const tokens = allowed ? refilled - 1 : refilled;
    this.#buckets.set(caller, { tokens, at: now });
    return describeBucket(allowed, tokens, rate);
  }
}
