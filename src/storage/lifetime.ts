/** Sliding expiry: each use of an object extends its lifetime. */

/** Maximum of `touchEveryMs`: recording each use would only wear the disk. */
const hourMs = 3_600_000;

/**
 * The retention period is promised from the last use on. The last recorded use may be up to `touchEveryMs` earlier than
 * the last use, so the expiry is `touchEveryMs` later.
 */
export function createLifetime(retentionMs: number | null) {
  const touchEveryMs = retentionMs === null ? hourMs : Math.min(hourMs, retentionMs / 100);
  return {
    /** After a recorded use, further uses are not recorded for this many milliseconds. */
    touchEveryMs,
    /** Returns null if objects are kept until they are deleted. */
    expiryFrom: (now: number) => (retentionMs === null ? null : Math.ceil(now + retentionMs + touchEveryMs)),
  };
}
