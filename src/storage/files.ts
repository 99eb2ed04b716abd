/**
 * Helpers for files: they write files that survive a power cut, tolerate missing files, and turn file system errors
 * into storage errors.
 */
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { toStorageError } from './storage-errors.ts';

/** For `writeFile`: creates a file that only this user can read, and syncs it. */
export const durable = { flag: 'wx', mode: 0o600, flush: true } as const;

/** Writes the content under another name first, so that the file at `path` is never incomplete. */
export async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  await writeFile(partial, content, durable);
  await rename(partial, path);
}

/** A new or renamed file survives a power cut only once its folder is synced, too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Undefined if the file or folder does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Maps file system errors to storage errors. */
export async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}
