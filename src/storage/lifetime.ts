/** How long something is kept that each use renews. */

/** Writing a use down more often would only wear the disk. */
const hourMs = 3_600_000;

export interface Lifetime {
  /** Uses closer together than this are not all written down. */
  readonly touchEveryMs: number;
  /** Null where things are kept until they are deleted. */
  expiryFrom(now: number): number | null;
}

/**
 * The promise is counted from the last use, and the last use that is written down may be up to `touchEveryMs` older: so
 * the expiry is that much later.
 */
export function createLifetime(retentionMs: number | null): Lifetime {
  const touchEveryMs = retentionMs === null ? hourMs : Math.min(hourMs, retentionMs / 100);
  return {
    touchEveryMs,
    expiryFrom: (now) => (retentionMs === null ? null : Math.ceil(now + retentionMs + touchEveryMs)),
  };
}
