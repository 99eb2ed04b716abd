/** The pause before a failed job's next attempt. `jobs/job-worker` decides whether there is a next attempt. */

/** Short enough that jobs resume within 10 s once a full disk has space again. */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Each pause is twice as long as the one before; `earlier` is the number of pauses in a row before this one. */
export const pauseAfter = (earlier: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** earlier);
