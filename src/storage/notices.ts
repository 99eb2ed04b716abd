/**
 * What is told at once to every process on the same rows, so that nobody has to poll them. Nothing of it is kept:
 * the rows are the truth, and whoever was away looks at them.
 */
import { EventEmitter } from 'node:events';

/** `key` is undefined where notices may have been missed: then every row that is waited for is to be looked at. */
export type NoticeListener = (key: string | undefined, news: unknown) => void;

export interface Notices {
  /**
   * After the commit of what it tells of. Reaches all listeners, those of this process too; may be lost, never fails.
   * `news` is JSON of at most 7,000 bytes; what is larger is told without it.
   */
  tell(topic: string, key: string, news?: unknown): void;
  /** Until the function that is returned is called. */
  listen(topic: string, listener: NoticeListener): () => void;
  close(): Promise<void>;
}

/** Notices may be lost; a row that is waited for is looked at again after this long. */
const lookAgainMs = 5_000;

export interface ExpectedNotice {
  /** Its news; undefined where it has none, or where it is time to look at the rows anyway. Rejects with the signal's reason. */
  readonly arrival: Promise<unknown>;
  /** Must be called in the end. */
  stop(): void;
}

/** Listens from the call on, so that a look at the rows after it misses nothing. */
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
  // It may arrive, or be given up, while nobody awaits it yet.
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

/** For rows that one process has to itself. */
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
