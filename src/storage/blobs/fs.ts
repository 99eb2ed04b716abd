/** The default blob store: each blob is a file, and all files are below one folder. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type BlobEntry, type BlobStore, checkBlobKey } from '../blob-store.ts';
import { durable, guard, syncFolder, unlessMissing } from '../files.ts';

/** A concurrent write may add files while a folder is deleted; retry until the folder is empty. */
const eraseOptions = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** Milliseconds, longer than any put takes: an older temporary file was left by a process that died. */
const unfinishedForMs = 3_600_000;

/** `alone`: no other process uses the folder, so every temporary file in it is a leftover, which is removed. */
export async function openFsBlobStore(
  folder: string,
  { alone }: { readonly alone: boolean },
): Promise<BlobStore> {
  const blobsFolder = join(folder, 'blobs');
  const temporaryFolder = join(folder, 'tmp');
  await guard(async () => {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    await mkdir(blobsFolder, { recursive: true, mode: 0o700 });
    await sweepUnfinished(temporaryFolder, alone ? Number.POSITIVE_INFINITY : Date.now() - unfinishedForMs);
  });

  const pathOf = (key: string) => {
    checkBlobKey(key);
    return join(blobsFolder, key);
  };

  return {
    put: (key, bytes) =>
      guard(async () => {
        const path = pathOf(key);
        const temporary = join(temporaryFolder, randomUUID());
        try {
          await writeFile(temporary, bytes, durable);
          const firstMade = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await rename(temporary, path);
          await syncFolder(dirname(path));
          // A new folder's own entry must also be synced to survive a power cut.
          if (firstMade) await syncFolder(dirname(firstMade));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      }),

    get: (key) => guard(() => unlessMissing(readUsed(pathOf(key)))),

    deleteAll: (prefix) => guard(() => rm(pathOf(prefix), eraseOptions)),

    list: (prefix) => listFiles(blobsFolder, pathOf(prefix)),
  };
}

async function sweepUnfinished(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = await unlessMissing(stat(path));
    if (facts && facts.mtimeMs < beforeMs) await rm(path, { recursive: true, force: true });
  }
}

/** Minimum milliseconds between updates of a file's mtime, its last use; eviction starts with the oldest. */
const noteUseEveryMs = 3_600_000;

async function readUsed(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { mtimeMs } = await file.stat();
    const now = Date.now();
    // A failed update is ignored, so that reads work even on a read-only disk.
    if (now - mtimeMs > noteUseEveryMs) await file.utimes(now / 1000, now / 1000).catch(() => undefined);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Yields all files. Reads one folder at a time, so that a list of 100,000 blobs or more is never in memory at once. */
async function* listFiles(root: string, top: string): AsyncIterable<BlobEntry> {
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await guard(() => unlessMissing(readdir(folder!, { withFileTypes: true })));
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const facts = await guard(() => unlessMissing(stat(path)));
      // The file was deleted after its folder was read, perhaps by the consumer of this iterator.
      if (!facts) continue;
      yield { key: relative(root, path).split(sep).join('/'), bytes: facts.size, modifiedAt: facts.mtime };
    }
  }
}
