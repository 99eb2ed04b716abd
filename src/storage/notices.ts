/**
 * Publish/subscribe between all processes on one database, so that a process learns of a change at once and seldom has
 * to poll. Notices are not stored: the rows are the source of truth, and a process that may have missed a notice reads
 * the rows.
 */
import { EventEmitter } from 'node:events';

/** If `key` is undefined, notices may have been missed: read again every row that this process waits for. */
export type NoticeListener = (key: string | undefined, news: unknown) => void;

export interface Notices {
  /**
   * Publishes a notice; call it after the commit. The notice reaches all listeners, including those of this process,
   * but may be lost. Never throws. `news` is JSON of at most 7,000 bytes; larger news is omitted from the notice.
   */
  tell(topic: string, key: string, news?: unknown): void;
  /** Subscribes to a topic until the returned function is called. */
  listen(topic: string, listener: NoticeListener): () => void;
  close(): Promise<void>;
}

/** Because notices may be lost, an awaited row is read again after this many milliseconds. */
const lookAgainMs = 5_000;

/** Subscribes at once: whoever reads the rows after that misses no change. */
export function expectNotice(notices: Notices, topic: string, key: string, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stopListening = notices.listen(topic, (told, news) => {
    if (told === undefined || told === key) resolve(news);
  });
  const timer = setTimeout(resolve, lookAgainMs);
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  // Avoids an unhandledRejection if the promise rejects before a caller awaits it.
  promise.catch(() => undefined);
  return {
    /** Resolves to the notice's news, if any, or when it is time to read the rows again. Rejects on abort. */
    arrival: promise,
    /** Unsubscribes; must always be called in the end. */
    stop(): void {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** Notices within one process, for a database that only this process uses. */
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
