/** Work under a deadline: stopped when time is up, and then failing in words that say so. */
import { PackshotError } from './errors.ts';

export interface Deadline {
  readonly timeoutMs: number;
  /** How much of it has passed already: a call's wait for its turn counts. */
  readonly elapsedMs?: number | undefined;
  /** The caller's own signal; its abort is no lapse of the deadline. */
  readonly signal: AbortSignal;
  /** What was not done in time, for people. */
  readonly what: string;
}

/** Rejects with what `work` rejects with, and with `deadline_exceeded` where that came of the lapse. */
export async function underDeadline<T>(
  { timeoutMs, elapsedMs = 0, signal, what }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lapse = AbortSignal.timeout(Math.max(0, Math.round(timeoutMs - elapsedMs)));
  try {
    return await work(AbortSignal.any([signal, lapse]));
  } catch (error) {
    if (error instanceof PackshotError || !lapse.aborted) throw error;
    throw new PackshotError(
      'deadline_exceeded',
      `${what} was not done within ${timeoutMs / 1000} s. Call again: a cutout that was begun is finished meanwhile.`,
      { cause: error, retryAfterS: 2 },
    );
  }
}
