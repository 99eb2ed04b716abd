/**
 * Syncs SQLite's write-ahead log to disk on a thread-pool thread.
 *
 * SQLite itself would sync during the commit (`synchronous=FULL`) and block the main thread: 20 ms per rendered picture
 * on a busy disk. All commits that end while a sync runs share the next sync.
 */
import { type FileHandle, open } from 'node:fs/promises';

export type LogSync = ReturnType<typeof createLogSync>;

export function createLogSync(path: string) {
  let log: Promise<FileHandle> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function syncNow(): Promise<void> {
    // On Windows, only files opened for writing can be flushed.
    log ??= open(path, 'r+');
    try {
      await (await log).datasync();
    } catch (error) {
      const failed = await log.catch(() => undefined);
      log = undefined;
      await failed?.close();
      throw error;
    }
  }

  function start(): Promise<void> {
    const started = syncNow().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  }

  return {
    /** Resolves once all earlier writes would survive a power cut. Rejects with the error of the operating system. */
    sync(): Promise<void> {
      if (!running) return start();
      // The running sync may have started before the latest write.
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    /** Waits for pending syncs, then closes the file. */
    async close(): Promise<void> {
      await Promise.allSettled([running, next]);
      await (await log?.catch(() => undefined))?.close();
      log = undefined;
    },
  };
}
