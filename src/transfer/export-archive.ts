/**
 * Runs an export: writes a snapshot of the rows, then the blobs that they own, into a folder. The service
 * may be running: it stores blobs before their rows, so all blobs of the snapshot's rows exist when the snapshot is
 * taken. Blobs that are deleted before they are copied are reported as missing, and their rows are imported without
 * them.
 */
import { mkdir, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database, OpenDatabase } from '../storage/database.ts';
import { guard } from '../storage/files.ts';
import { readSnapshot } from '../storage/snapshot.ts';
import { packageVersion } from '../version.ts';
import {
  beginArchive,
  blobsFile,
  jobsFile,
  type Manifest,
  type OwnedBlobs,
  rowsFile,
  writeManifest,
} from './archive.ts';
import { archiveOwner, type CopyCounts, mapSideBySide, removeFolder } from './copy-blobs.ts';
import { type LineFileFacts, pageRows, readLines, writeLines } from './line-files.ts';
import { listUnknown, type Row, readJobs, readRows, readShape, resolveServiceName } from './live-rows.ts';
import { blobOwners, neededBlobs, travellingNames } from './travelling-tables.ts';

export interface Stores {
  readonly database: OpenDatabase;
  readonly blobs: BlobStore;
}

/** Called often, with the name of the current step and the number of items done. */
export type ProgressListener = (step: string, done: number) => void;

export interface ExportOptions {
  readonly clock: () => number;
  readonly onProgress: ProgressListener;
}

export interface Exported {
  readonly manifest: Manifest;
  /** Number of blobs copied in this run. */
  readonly copied: number;
}

/** Maximum number of missing keys that are listed. */
const maxListed = 100;

/** Idempotent: another run into the same folder copies only new data. */
export async function exportArchive(
  stores: Stores,
  folder: string,
  options: ExportOptions,
): Promise<Exported> {
  const { rows, ...taken } = await archiveRows(stores.database, folder, options);
  const { index, missing, counts } = await archiveBlobs(stores.blobs, folder, options);
  const manifest: Manifest = {
    packshotArchive: 1,
    ...taken,
    version: packageVersion,
    files: { ...rows, [blobsFile]: index },
    blobs: { count: counts.count, bytes: counts.bytes },
    missing,
  };
  await writeManifest(folder, manifest);
  return { manifest, copied: counts.copied };
}

async function archiveRows(database: OpenDatabase, folder: string, { clock, onProgress }: ExportOptions) {
  return readSnapshot(database, async (snapshot) => {
    const shape = await readShape(snapshot);
    const service = await resolveServiceName(snapshot);
    const takenAt = new Date(clock()).toISOString();
    await beginArchive(folder, service);
    const rows: Record<string, LineFileFacts> = {};
    for (const table of travellingNames) {
      const path = rowsFile(table);
      rows[path] = await writeLines(
        join(folder, path),
        counted(readRows(snapshot, table), table, onProgress),
      );
    }
    rows[jobsFile] = await writeLines(
      join(folder, jobsFile),
      counted(readJobs(snapshot), 'jobs', onProgress),
    );
    for (const table of blobOwners) await forgetErased(snapshot, folder, table);
    return { service, takenAt, shape, rows };
  });
}

/** Removes archived blobs whose owner (a design, backdrop or batch) the service has deleted since an earlier run. */
async function forgetErased(
  snapshot: Database,
  folder: string,
  table: (typeof blobOwners)[number],
): Promise<void> {
  const below = join(folder, 'blobs', table);
  await guard(() => mkdir(below, { recursive: true, mode: 0o700 }));
  const forget = async (ids: readonly string[]) => {
    for (const id of await listUnknown(snapshot, table, ids)) await removeFolder(join(below, id));
  };
  let page: string[] = [];
  for await (const { name } of await guard(() => opendir(below))) {
    page.push(name);
    if (page.length < pageRows) continue;
    await forget(page);
    page = [];
  }
  if (page.length > 0) await forget(page);
}

async function archiveBlobs(blobs: BlobStore, folder: string, { onProgress }: ExportOptions) {
  const counts: CopyCounts = { count: 0, bytes: 0, copied: 0 };
  const missing: Manifest['missing'] = { count: 0, some: [] };
  const archived = mapSideBySide(listOwners(folder), async ({ owner, needed }) => {
    const owned = await archiveOwner(blobs, folder, owner, counts);
    const names = new Set(owned.blobs.map(({ name }) => name));
    const gone = needed.filter((name) => !names.has(name)).map((name) => `${owner}/${name}`);
    return { owned, gone };
  });
  const lines = async function* (): AsyncGenerator<OwnedBlobs[]> {
    for await (const { owned, gone } of archived) {
      missing.count += gone.length;
      missing.some.push(...gone.slice(0, maxListed - missing.some.length));
      onProgress('blobs', counts.count);
      if (owned.blobs.length > 0) yield [owned];
    }
  };
  const index = await writeLines(join(folder, blobsFile), lines());
  return { index, missing, counts };
}

/** The owners in the archived rows, such as `designs/dsg_…`, and the names of the blobs that they need. */
async function* listOwners(folder: string): AsyncGenerator<{ owner: string; needed: readonly string[] }> {
  for (const table of blobOwners) {
    for await (const page of readLines<Row>(join(folder, rowsFile(table)))) {
      for (const row of page) yield { owner: `${table}/${row.id}`, needed: neededBlobs[table](row) };
    }
  }
}

async function* counted<T extends object>(
  pages: AsyncIterable<readonly T[]>,
  step: string,
  onProgress: ProgressListener,
): AsyncGenerator<readonly T[]> {
  let done = 0;
  for await (const page of pages) {
    done += page.length;
    onProgress(step, done);
    yield page;
  }
}
