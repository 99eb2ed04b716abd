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
