/** Single flight: concurrent callers share one run of the work, which is aborted when the last of them leaves. */

interface Running<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

export function createSharedWork<T>() {
  const running = new Map<string, Running<T>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const started: Running<T> = {
      result: work(stop.signal).finally(() => {
        if (running.get(key) === started) running.delete(key);
      }),
      stop,
      waiting: 0,
    };
    // Avoid an unhandledRejection: every caller may have left before it fails.
    started.result.catch(() => undefined);
    running.set(key, started);
    return started;
  }

  /** Rejects with the work's error, or with the signal's reason as soon as it aborts. */
  return async function share(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const joined = running.get(key) ?? begin(key, work);
    joined.waiting++;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([joined.result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      joined.waiting--;
      if (joined.waiting === 0) {
        // The next caller must not join aborted work, and get its abort as the answer.
        if (running.get(key) === joined) running.delete(key);
        joined.stop.abort(new DOMException('No caller is waiting.', 'AbortError'));
      }
    }
  };
}
