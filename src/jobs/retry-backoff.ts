/** How long a job that failed waits for its next try. */

/** Short enough that a full disk is forgotten within 10 s of being freed. */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Pauses double; `earlier` is how many there were in a row. */
export const pauseAfter = (earlier: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** earlier);
