/**
 * Queue of previews: requests two at a time, and each only once, because calls are rate limited and a phone's
 * memory is small.
 */

const mostAtOnce = 2;

interface ShowOptions {
  /** Whether this preview is requested before all waiting previews, because the user is looking at it. */
  readonly urgent?: boolean;
}

export interface PreviewQueue {
  /** A `blob:` URL, valid until the queue is closed. */
  show(key: string, make: (signal: AbortSignal) => Promise<Blob>, options?: ShowOptions): Promise<string>;
  /** Aborts running calls and revokes the URLs. */
  close(): void;
}

export function createPreviewQueue(): PreviewQueue {
  const made = new Map<string, Promise<string>>();
  const urls: string[] = [];
  const waiting: (() => Promise<void>)[] = [];
  const closing = new AbortController();
  let running = 0;

  async function drain(): Promise<void> {
    if (running >= mostAtOnce) return;
    running++;
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    running--;
  }

  return {
    show(key, make, { urgent = false } = {}) {
      const known = made.get(key);
      if (known) return known;
      const url = new Promise<string>((resolve, reject) => {
        const work = async () => {
          try {
            closing.signal.throwIfAborted();
            const made = URL.createObjectURL(await make(closing.signal));
            urls.push(made);
            resolve(made);
          } catch (error) {
            reject(error);
          }
        };
        if (urgent) waiting.unshift(work);
        else waiting.push(work);
      });
      made.set(key, url);
      // Forget a failure, so that the next request for the same preview tries again.
      url.catch(() => made.delete(key));
      void drain();
      return url;
    },
    close() {
      closing.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    },
  };
}
