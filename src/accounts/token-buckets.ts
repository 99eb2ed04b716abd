/** Counts calls per caller: a bucket of tokens that refills steadily and holds a burst (the token bucket of RFC 2697). */

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
  /** Calls a second, sustained. */
  readonly perSecond: number;
  /** Calls at once. */
  readonly burst: number;
}

export interface RateLimiter {
  /** Takes one token where there is one, from a bucket of the caller's own rate where it has one. */
  take(caller: string, own?: Rate): BucketState | Promise<BucketState>;
}

/** Of a bucket from which a token was just taken, or could not be. */
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

/** Idle callers are forgotten beyond this number: a full bucket and no bucket are the same. */
const maxBuckets = 10_000;

export class TokenBuckets implements RateLimiter {
  readonly #rate: Rate;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor({ perSecond, burst, clock }: Rate & { readonly clock: () => number }) {
    this.#rate = { perSecond, burst };
    this.#clock = clock;
  }

  /** Takes one token where there is one. */
  take(caller: string, { perSecond, burst }: Rate = this.#rate): BucketState {
    const now = this.#clock();
    const bucket = this.#buckets.get(caller);
    // A clock that jumps back must not take tokens away.
    const elapsedS = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
    const refilled = Math.min(burst, (bucket?.tokens ?? burst) + elapsedS * perSecond);
    const allowed = refilled >= 1;
    const tokens = allowed ? refilled - 1 : refilled;
    // Deleting first keeps the map in order of last use, which makes the first entry the idlest.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens, at: now });
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value!);
    return describeBucket({ allowed, tokens, perSecond, burst });
  }
}
