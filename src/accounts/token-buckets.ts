/**
 * Rate limits within one process: token buckets with a steady refill and a burst (the token bucket of RFC
 * 2697).
 */

export interface BucketState {
  readonly allowed: boolean;
  /** Tokens in a full bucket. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetS: number;
  /** Whole seconds until the next token. */
  readonly retryAfterS: number;
}

export interface Rate {
  /** Sustained calls per second. */
  readonly perSecond: number;
  /** Maximum calls in a burst: the tokens in a full bucket. */
  readonly burst: number;
}

export interface RateLimiter {
  /** Takes one token if there is one; `own` is the caller's individual rate, if any. */
  take(caller: string, own?: Rate): BucketState | Promise<BucketState>;
}

/** State of a bucket after a call took a token, or was refused. */
export function describeBucket({
  allowed,
  tokens,
  perSecond,
  burst,
}: {
  readonly allowed: boolean;
  readonly tokens: number;
  readonly perSecond: number;
  readonly burst: number;
}): BucketState {
  return {
    allowed,
    limit: burst,
    remaining: Math.floor(tokens),
    resetS: Math.ceil((burst - tokens) / perSecond),
    retryAfterS: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  };
}

/**
 * Beyond this number, the least recently used buckets are dropped. Most of these are full again by then, and a
 * full bucket is equivalent to a missing one.
 */
const maxBuckets = 10_000;

export class TokenBuckets implements RateLimiter {
  readonly #rate: Rate;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor({ perSecond, burst, clock }: Rate & { readonly clock: () => number }) {
    this.#rate = { perSecond, burst };
    this.#clock = clock;
  }

  /** Takes one token if there is one. */
  take(caller: string, { perSecond, burst }: Rate = this.#rate): BucketState {
    const now = this.#clock();
    const bucket = this.#buckets.get(caller);
    // A clock that jumps back must not remove tokens.
    const elapsedS = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
    const refilled = Math.min(burst, (bucket?.tokens ?? burst) + elapsedS * perSecond);
    const allowed = refilled >= 1;
    const tokens = allowed ? refilled - 1 : refilled;
    // Re-inserting keeps the map in order of last use: the first entry is the least recently used.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens, at: now });
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value!);
    return describeBucket({ allowed, tokens, perSecond, burst });
  }
}
