/**
 * Single flight: concurrent callers share one run of the work. The run has the urgency of its most urgent
 * caller, and is aborted when the last caller leaves.
 */
import { mostUrgent, type Urgency } from './tasks.ts';

export interface FlightCaller {
  readonly signal: AbortSignal;
  /** Default `preview`. */
  readonly urgency?: Urgency;
}

/** Input of the shared run. */
export interface Flight {
  readonly signal: AbortSignal;
  /** The highest urgency of the callers that are waiting now. */
  readonly urgency: () => Urgency;
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  readonly callers: Set<FlightCaller>;
}

export type SingleFlight<T> = (
  key: string,
  caller: FlightCaller,
  work: (flight: Flight) => Promise<T>,
) => Promise<T>;

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Running<T>>();

  function begin(key: string, first: FlightCaller, work: (flight: Flight) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const callers = new Set([first]);
    const urgency = () => mostUrgent([...callers].map((caller) => caller.urgency ?? 'preview'));
    const started: Running<T> = {
      result: work({ signal: stop.signal, urgency }).finally(() => {
        if (running.get(key) === started) running.delete(key);
      }),
      stop,
      callers,
    };
    // Avoid an unhandledRejection: every caller may have left before the run fails.
    started.result.catch(() => undefined);
    running.set(key, started);
    return started;
  }

  /** Rejects with the work's error or, as soon as the caller's signal aborts, with the signal's reason. */
  return async function share(key, { signal, urgency }, work): Promise<T> {
    signal.throwIfAborted();
    const caller: FlightCaller = { signal, ...(urgency && { urgency }) };
    const joined = running.get(key) ?? begin(key, caller, work);
    joined.callers.add(caller);
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([joined.result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      // Keep the last caller, because the run may still read the urgency while it is being aborted.
      if (joined.callers.size > 1) joined.callers.delete(caller);
      else {
        // The next caller must not join the aborted run, which will reject with an AbortError.
        if (running.get(key) === joined) running.delete(key);
        joined.stop.abort(new DOMException('No caller is waiting.', 'AbortError'));
      }
    }
  };
}
