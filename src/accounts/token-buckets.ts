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

export interface RateLimiter {
  /** Takes one token where there is one. */
  take(caller: string): BucketState | Promise<BucketState>;
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
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(options: { perSecond: number; burst: number; clock: () => number }) {
    this.#perSecond = options.perSecond;
    this.#burst = options.burst;
    this.#clock = options.clock;
  }

  /** Takes one token where there is one. */
  take(caller: string): BucketState {
    const now = this.#clock();
    const bucket = this.#buckets.get(caller);
    // A clock that jumps back must not take tokens away.
    const elapsedS = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
    const refilled = Math.min(this.#burst, (bucket?.tokens ?? this.#burst) + elapsedS * this.#perSecond);
    const allowed = refilled >= 1;
    const tokens = allowed ? refilled - 1 : refilled;
    // Deleting first keeps the map in order of last use, which makes the first entry the idlest.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens, at: now });
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value!);
    return describeBucket({ allowed, tokens, perSecond: this.#perSecond, burst: this.#burst });
  }
}
