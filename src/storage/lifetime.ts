/** Sliding expiry: each use extends the lifetime of an object. */

/** Minimum interval between recorded uses; more frequent writes would only wear the disk. */
const hourMs = 3_600_000;

export interface Lifetime {
  /** Uses at shorter intervals than this are not all recorded. */
  readonly touchEveryMs: number;
  /** Null if objects are kept until they are deleted. */
  expiryFrom(now: number): number | null;
}

/**
 * Retention is promised from the last use. The last recorded use may be up to `touchEveryMs` earlier, so the expiry
 * is that much later.
 */
export function createLifetime(retentionMs: number | null): Lifetime {
  const touchEveryMs = retentionMs === null ? hourMs : Math.min(hourMs, retentionMs / 100);
  return {
    touchEveryMs,
    expiryFrom: (now) => (retentionMs === null ? null : Math.ceil(now + retentionMs + touchEveryMs)),
  };
}
