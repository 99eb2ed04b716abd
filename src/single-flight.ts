/**
 * Single flight: concurrent callers share one run of the work. The run has the urgency of its most urgent caller. When
 * the last caller leaves, a run that has not started its work is aborted; a started run is finished, because the
 * caller who left will likely call again.
 */
import { mostUrgent, type Urgency } from './tasks.ts';

export interface FlightCaller {
  readonly signal: AbortSignal;
  /** Default `preview`. */
  readonly urgency?: Urgency | (() => Urgency);
  /** When the caller's time is up, in the unit of `performance.now()`; default: never. */
  readonly dueAt?: number | (() => number) | undefined;
  /** Called when the work starts, or at once if it has started: for a flight that is part of another flight. */
  readonly onStart?: (() => void) | undefined;
}

/** Input of the shared run. */
export interface Flight {
  readonly signal: AbortSignal;
  /** The highest urgency of the callers that are waiting now. */
  readonly urgency: () => Urgency;
  /** When the time of the first waiting caller is up; `Infinity` if never. */
  readonly dueAt: () => number;
  /** To be called when the work no longer waits for its turn; from then on, the signal never aborts. */
  readonly onStart: () => void;
}

/** Keeps results that no caller took, for callers who come back. */
export interface KeptResults<T> {
  readonly forMs: number;
  /** Maximum bytes of all kept results together; the oldest are dropped first. */
  readonly maxBytes: number;
  readonly bytesOf: (result: T) => number;
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  readonly callers: Set<FlightCaller>;
  readonly isStarted: boolean;
}

export type SingleFlight<T> = (
  key: string,
  caller: FlightCaller,
  work: (flight: Flight) => Promise<T>,
) => Promise<T>;

/**
 * With `keep`, a caller whose time is up (a `TimeoutError`) does not end a run that waits for its turn either: the
 * caller is told to call again, and must not go back to the end of the line.
 */
export function createSingleFlight<T>(keep?: KeptResults<T>): SingleFlight<T> {
  const running = new Map<string, Running<T>>();
  const kept = new Map<string, { readonly bytes: number; readonly timer: NodeJS.Timeout }>();

  function begin(key: string, first: FlightCaller, work: (flight: Flight) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const callers = new Set([first]);
    let last = urgencyOf(first);
    let dueAt = never;
    const state = { stop, callers, isStarted: false };
    const result = work({
      signal: stop.signal,
      urgency() {
        // After the last caller has left, the run keeps that caller's urgency.
        if (callers.size > 0) last = mostUrgent([...callers].map(urgencyOf));
        return last;
      },
      dueAt() {
        if (callers.size > 0) dueAt = Math.min(...[...callers].map(dueAtOf));
        return dueAt;
      },
      onStart() {
        state.isStarted = true;
        for (const caller of callers) caller.onStart?.();
      },
    });
    const started: Running<T> = Object.assign(state, { result });
    running.set(key, started);
    // Handle the rejection: every caller may have left before the run fails.
    result.then(
      (made) => (keep && callers.size === 0 ? keepResult(key, keep.bytesOf(made)) : forget(key, started)),
      () => forget(key, started),
    );
    return started;
  }

  function forget(key: string, which = running.get(key)): void {
    if (running.get(key) !== which) return;
    running.delete(key);
    clearTimeout(kept.get(key)?.timer);
    kept.delete(key);
  }

  function keepResult(key: string, bytes: number): void {
    if (!keep) return;
    kept.set(key, { bytes, timer: setTimeout(() => forget(key), keep.forMs).unref() });
    let all = 0;
    for (const each of kept.values()) all += each.bytes;
    for (const [oldest, { bytes: freed }] of kept) {
      if (all <= keep.maxBytes) return;
      all -= freed;
      forget(oldest);
    }
  }

  function leave(key: string, joined: Running<T>, caller: FlightCaller): void {
    joined.callers.delete(caller);
    if (joined.callers.size > 0 || joined.isStarted || (keep && isLapse(caller.signal))) return;
    // The next caller must not join the aborted run, which will reject with an AbortError.
    forget(key, joined);
    joined.stop.abort(new DOMException('No caller is waiting.', 'AbortError'));
  }

  /** Rejects with the work's error or, as soon as the caller's signal aborts, with the signal's reason. */
  return async function share(key, { signal, ...own }, work): Promise<T> {
    signal.throwIfAborted();
    const caller: FlightCaller = { signal, ...own };
    const joined = running.get(key) ?? begin(key, caller, work);
    joined.callers.add(caller);
    if (joined.isStarted) own.onStart?.();
    const { promise: left, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([joined.result, left]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      leave(key, joined, caller);
    }
  };
}

const never = Number.POSITIVE_INFINITY;

const dueAtOf = ({ dueAt = never }: FlightCaller): number => (typeof dueAt === 'function' ? dueAt() : dueAt);

const urgencyOf = ({ urgency = 'preview' }: FlightCaller): Urgency =>
  typeof urgency === 'function' ? urgency() : urgency;

const isLapse = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';
