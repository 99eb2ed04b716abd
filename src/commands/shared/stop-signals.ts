/**
 * Signals that ask a command to stop. One Ctrl-C may arrive twice: the terminal sends it to the whole process group,
 * and npm, or our launcher under an older Node, forwards its own copy. So a signal that repeats within a second is
 * ignored. A later repetition or a different signal counts as a second request.
 */

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof stopSignals)[number];

const repetitionMs = 1_000;

/** Returns a function that restores the previous signal handling. */
export function listenForStops(onStop: (signal: StopSignal, isFirst: boolean) => void): () => void {
  const arrivedAt = new Map<StopSignal, number>();
  const listeners = stopSignals.map((signal) => {
    const listener = () => {
      const now = performance.now();
      const last = arrivedAt.get(signal);
      if (last !== undefined && now - last < repetitionMs) return;
      const isFirst = arrivedAt.size === 0;
      arrivedAt.set(signal, now);
      onStop(signal, isFirst);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}
