/** Runs work under a deadline: aborts it when the time is up, and then rejects with a clear message. */
import { PackshotError } from './errors.ts';

export interface Deadline {
  readonly timeoutMs: number;
  /** Time already spent, including a call's wait in the queue. */
  readonly elapsedMs?: number | undefined;
  /** The caller's own signal; its abort is not reported as a timeout. */
  readonly signal: AbortSignal;
  /** The work, as named in the message. */
  readonly what: string;
  /** What the caller can do, for the end of the message; default: call again and join the running cutout. */
  readonly advice?: string;
}

/** Rejects with the error of `work`, and with `deadline_exceeded` if the timeout caused it. */
export async function underDeadline<T>(
  {
    timeoutMs,
    elapsedMs = 0,
    signal,
    what,
    advice = 'Call again: a cutout in progress continues in the meantime.',
  }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lapse = AbortSignal.timeout(Math.max(0, Math.round(timeoutMs - elapsedMs)));
  try {
    return await work(AbortSignal.any([signal, lapse]));
  } catch (error) {
    if (error instanceof PackshotError || !lapse.aborted) throw error;
    throw new PackshotError(
      'deadline_exceeded',
      `${what} was not done within ${timeoutMs / 1000} s. ${advice}`,
      { cause: error, retryAfterS: 2 },
    );
  }
}
