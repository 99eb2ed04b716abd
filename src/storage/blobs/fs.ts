/** The blob store of the embedded mode: one file a blob below one folder. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type BlobEntry, type BlobStore, checkBlobKey } from '../blob-store.ts';
import { toStorageError } from '../storage-errors.ts';

/** A write that comes between leaves a folder that is not empty; erasing goes on until it is. */
const eraseOptions = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** `folder` is made if need be; unfinished files of an earlier life are swept. */
export async function openFsBlobStore(folder: string): Promise<BlobStore> {
  const blobsFolder = join(folder, 'blobs');
  const temporaryFolder = join(folder, 'tmp');
  await guard(async () => {
    await rm(temporaryFolder, { recursive: true, force: true });
    await mkdir(temporaryFolder, { recursive: true });
    await mkdir(blobsFolder, { recursive: true });
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
          await writeDurably(temporary, bytes);
          const firstMade = await mkdir(dirname(path), { recursive: true });
          await rename(temporary, path);
          await syncFolder(dirname(path));
          // A new folder is itself an entry that a power cut could lose.
          if (firstMade) await syncFolder(dirname(firstMade));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      }),

    get: (key) =>
      guard(async () => {
        try {
          return await readFile(pathOf(key));
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),

    deleteAll: (prefix) => guard(() => rm(pathOf(prefix), eraseOptions)),

    list: (prefix) => listFiles(blobsFolder, pathOf(prefix)),
  };
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* listFiles(root: string, folder: string): AsyncIterable<BlobEntry> {
  const entries = await guard(async () => {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const modifiedAt = await guard(() => findModifiedAt(path));
    // Erased since the folder was read, perhaps by whoever walks this list.
    if (!modifiedAt) continue;
    yield { key: relative(root, path).split(sep).join('/'), modifiedAt };
  }
}

async function findModifiedAt(path: string): Promise<Date | undefined> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}
