/**
 * Publish/subscribe between all processes on one database, so that none has to poll. Notices are not stored:
 * the rows are the source of truth, and a process that may have missed a notice reads them.
 */
import { EventEmitter } from 'node:events';

/** An undefined `key` means that notices may have been missed: re-read every row that is waited for. */
export type NoticeListener = (key: string | undefined, news: unknown) => void;

export interface Notices {
  /**
   * Publishes a notice; call it after the commit. Reaches all listeners, including those of this process.
   * Never throws, but a notice may be lost. `news` is JSON of at most 7,000 bytes; a larger payload is
   * omitted.
   */
  tell(topic: string, key: string, news?: unknown): void;
  /** Subscribes until the returned function is called. */
  listen(topic: string, listener: NoticeListener): () => void;
  close(): Promise<void>;
}

/** Notices may be lost: re-read the awaited row after this long. */
const lookAgainMs = 5_000;

export interface ExpectedNotice {
  /**
   * The notice's payload; undefined if it has none, or if it is time to re-read the rows anyway. Rejects with
   * the signal's reason.
   */
  readonly arrival: Promise<unknown>;
  /** Unsubscribes; must always be called. */
  stop(): void;
}

/** Subscribes immediately, so that reading the rows afterwards misses nothing. */
export function expectNotice(
  notices: Notices,
  topic: string,
  key: string,
  signal: AbortSignal,
): ExpectedNotice {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stopListening = notices.listen(topic, (told, news) => {
    if (told === undefined || told === key) resolve(news);
  });
  const timer = setTimeout(resolve, lookAgainMs);
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  // Avoids an unhandledRejection, because the promise may reject before a caller awaits it.
  promise.catch(() => undefined);
  return {
    arrival: promise,
    stop() {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** Notices within one process, for a database that no other process uses. */
export function createLocalNotices(): Notices {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    tell: (topic, key, news) => void emitter.emit(topic, key, news),
    listen(topic, listener) {
      emitter.on(topic, listener);
      return () => void emitter.off(topic, listener);
    },
    close: async () => undefined,
  };
}
