/**
 * Syncs SQLite's write-ahead log to disk, in a thread of the system's own.
 *
 * SQLite itself would do it within the commit (`synchronous=FULL`), and a process that waits there answers nobody: on a busy
 * disk 20 ms for each picture that any account asks for. Commits that end while the disk is busy share the next sync.
 */
import { type FileHandle, open } from 'node:fs/promises';

export interface LogSync {
  /** Resolves once all that was written before this call would survive a power cut. Rejects with the system's error. */
  sync(): Promise<void>;
  /** After what was asked for. */
  close(): Promise<void>;
}

export function createLogSync(path: string): LogSync {
  let log: Promise<FileHandle> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function syncNow(): Promise<void> {
    // Windows flushes only what may be written to.
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
    sync() {
      if (!running) return start();
      // The one that runs may have begun before the last write.
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    async close() {
      await Promise.allSettled([running, next]);
      await (await log?.catch(() => undefined))?.close();
      log = undefined;
    },
  };
}
