/** Work that a check repeats in the background until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `work`. The returned function stops the repetition and resolves when running work has ended. */
export function repeat(work: (stopped: AbortSignal, turn: number) => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const done = (async () => {
    for (let turn = 0; !stop.signal.aborted; turn++) await work(stop.signal, turn);
  })();
  return async () => {
    stop.abort();
    await done;
  };
}

/**
 * Repeats a call after pauses of `everyMs`. The returned function stops it, and resolves to the duration of each call,
 * in milliseconds.
 */
export function timeRepeatedly(call: () => Promise<Response>, everyMs: number): () => Promise<number[]> {
  const times: number[] = [];
  const stop = repeat(async () => {
    const startedAt = performance.now();
    await (await call()).arrayBuffer();
    times.push(performance.now() - startedAt);
    await sleep(everyMs);
  });
  return async () => {
    await stop();
    return times;
  };
}
