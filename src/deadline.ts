/** Runs work under a deadline: when the time is up, aborts the work and rejects with a clear message. */
import { PackshotError } from 'packshot-errors';

export interface Deadline {
  readonly timeoutMs: number;
  /** Milliseconds of the timeout that are already spent, including a call's wait in the queue. */
  readonly elapsedMs?: number | undefined;
  /** The caller's own signal. If this signal aborts the work, the error is not reported as a timeout. */
  readonly signal: AbortSignal;
  /** Name of the work, for the error message. */
  readonly what: string;
  /** Advice to the caller, at the end of the error message. By default, it says to call again. */
  readonly advice?: string | (() => string);
}

/**
 * If `work` fails, rejects with its error. But if the time is up and the error is not a `PackshotError`, rejects with
 * `deadline_exceeded`.
 */
export async function underDeadline<T>(
  { timeoutMs, elapsedMs = 0, signal, what, advice = 'Call again in a moment.' }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lapse = AbortSignal.timeout(Math.max(0, Math.round(timeoutMs - elapsedMs)));
  try {
    return await work(AbortSignal.any([signal, lapse]));
  } catch (error) {
    if (error instanceof PackshotError || !lapse.aborted) throw error;
    throw new PackshotError(
      'deadline_exceeded',
      `${what} was not done within ${timeoutMs / 1000} s. ${typeof advice === 'string' ? advice : advice()}`,
      { cause: error, retryAfterS: 2 },
    );
  }
}

interface TimedWork {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns the reason with which the work is aborted when the time is up. */
  readonly lapse: () => unknown;
}

/**
 * Runs `work`. As soon as `signal` aborts or the time is up, aborts the signal that `work` was given, and rejects with
 * the reason of `signal` or with the result of `lapse`. Does not wait until `work` has ended.
 */
export async function withinTime<T>(
  { timeoutMs, signal, lapse }: TimedWork,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    stop.abort(reason);
    ended.reject(reason);
  };
  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => end(lapse()), timeoutMs);
  try {
    return await Promise.race([work(stop.signal), ended.promise]);
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
