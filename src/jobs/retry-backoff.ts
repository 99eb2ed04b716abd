/** Delay of a failed job before its next attempt. `jobs/job-worker` decides whether there is one. */

/** Short enough that jobs resume within 10 s after space is freed on a full disk. */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Pauses double; `earlier` is the number of consecutive pauses before this one. */
export const pauseAfter = (earlier: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** earlier);
