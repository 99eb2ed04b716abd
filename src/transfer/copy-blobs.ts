/** Copies blobs, owner by owner, from a store to an archive's folder and back. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BlobEntry, BlobStore } from '../storage/blob-store.ts';
import { guard, replaceFile, unlessMissing } from '../storage/files.ts';
import { type ArchivedBlob, blobPath, type OwnedBlobs } from './archive.ts';
import { findDigest } from './line-files.ts';

/** Owners processed in parallel. For each owner, one blob at a time is in memory: an upload or a stored picture. */
const concurrency = 8;

/** `count` and `bytes`: blobs examined; `copied`: number of blobs copied. */
export interface CopyCounts {
  count: number;
  bytes: number;
  copied: number;
}

/** Maps values concurrently and yields the results in order. The first failure ends the iteration. */
export async function* mapSideBySide<T, R>(
  owners: AsyncIterable<T>,
  work: (owner: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const owner of owners) {
      const outcome = work(owner);
      // Avoid an unhandledRejection: results are awaited in order, and none after the first failure.
      outcome.catch(() => undefined);
      running.push(outcome);
      if (running.length === concurrency) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Updates this owner's folder in the archive from the store. Unchanged blobs are not copied again. */
export async function archiveOwner(
  blobs: BlobStore,
  folder: string,
  owner: string,
  counts: CopyCounts,
): Promise<OwnedBlobs> {
  const kept: ArchivedBlob[] = [];
  for await (const entry of blobs.list(owner)) {
    const archived = await archiveBlob(blobs, blobPath(folder, entry.key), entry, counts);
    // The blob may have been deleted since it was listed.
    if (archived) kept.push({ name: entry.key.slice(owner.length + 1), ...archived });
  }
  await removeOthers(blobPath(folder, owner), new Set(kept.map(({ name }) => name)));
  return { owner, blobs: kept };
}

async function archiveBlob(
  blobs: BlobStore,
  path: string,
  { key, bytes: size, modifiedAt }: BlobEntry,
  counts: CopyCounts,
): Promise<Omit<ArchivedBlob, 'name'> | undefined> {
  const there = await guard(() => unlessMissing(stat(path)));
  counts.count++;
  // A blob that has been written or used since it was archived is copied again.
  if (there && there.size === size && modifiedAt.getTime() <= there.mtimeMs) {
    counts.bytes += there.size;
    return { bytes: there.size, sha256: (await findDigest(path))! };
  }
  const bytes = await blobs.get(key);
  if (!bytes) {
    counts.count--;
    return undefined;
  }
  await guard(async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await replaceFile(path, bytes);
  });
  counts.bytes += bytes.byteLength;
  counts.copied++;
  return { bytes: bytes.byteLength, sha256: digestOf(bytes) };
}

/**
 * Writes the blobs that the store lacks or holds at another size. Returns the keys of those that `read` does not find
 * or that differ from their checksum.
 */
export async function restoreOwner(
  blobs: BlobStore,
  { owner, blobs: archived }: OwnedBlobs,
  read: (key: string) => Promise<Buffer | undefined>,
  counts: CopyCounts,
): Promise<string[]> {
  const there = new Map<string, number>();
  for await (const { key, bytes } of blobs.list(owner)) there.set(key, bytes);
  const damaged: string[] = [];
  for (const { name, bytes, sha256 } of archived) {
    const key = `${owner}/${name}`;
    counts.count++;
    counts.bytes += bytes;
    if (there.get(key) === bytes) continue;
    const content = await read(key);
    if (!content || (sha256 !== null && digestOf(content) !== sha256)) {
      damaged.push(key);
      continue;
    }
    await blobs.put(key, content);
    counts.copied++;
  }
  return damaged;
}

export async function readArchivedBlob(folder: string, key: string): Promise<Buffer | undefined> {
  const path = blobPath(folder, key);
  return guard(() => unlessMissing(readFile(path)));
}

/** Deletes all archived blobs of an owner. */
export const removeFolder = (folder: string): Promise<void> =>
  guard(() => rm(folder, { recursive: true, force: true }));

async function removeOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  const entries = await guard(() => unlessMissing(readdir(folder, { recursive: true, withFileTypes: true })));
  for (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !names.has(relative(folder, path).split(sep).join('/')))
      await guard(() => rm(path, { force: true }));
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
