/** The source of an import: an archive, or the folder of a stopped service. */
import { join } from 'node:path';
import type { BlobStore } from '../storage/blob-store.ts';
import type { OpenDatabase } from '../storage/database.ts';
import { blobsFile, checkFiles, jobsFile, type OwnedBlobs, readManifest, rowsFile } from './archive.ts';
import { readArchivedBlob } from './copy-blobs.ts';
import { readLines } from './line-files.ts';
import { type Row, readJobs, readRows, type WaitingJob } from './live-rows.ts';
import { blobOwners, type TravellingName } from './travelling-tables.ts';
import { withUpgradedRows } from './upgrade-rows.ts';

/** Each method may be called more than once, with the same result. */
export interface TransferSource {
  rows(table: TravellingName): AsyncIterable<readonly Row[]>;
  jobs(): AsyncIterable<readonly WaitingJob[]>;
  blobs(): AsyncIterable<OwnedBlobs>;
  readBlob(key: string): Promise<Buffer | undefined>;
}

/** Checks as much as possible before anything is written. Throws `invalid_field` for a damaged archive. */
export async function withArchive<T>(
  folder: string,
  work: (source: TransferSource) => Promise<T>,
): Promise<T> {
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  return withUpgradedRows(folder, manifest, (rowsFolder) =>
    work({
      rows: (table) => readLines<Row>(join(rowsFolder, rowsFile(table))),
      jobs: () => readLines<WaitingJob>(join(folder, jobsFile)),
      async *blobs() {
        for await (const page of readLines<OwnedBlobs>(join(folder, blobsFile))) yield* page;
      },
      readBlob: (key) => readArchivedBlob(folder, key),
    }),
  );
}

/** Reads the folder of an embedded service, which must not run in the meantime. */
export function openLiveSource(
  { database }: Pick<OpenDatabase, 'database'>,
  blobs: BlobStore,
): TransferSource {
  return {
    rows: (table) => readRows(database, table),
    jobs: () => readJobs(database),
    async *blobs() {
      for (const table of blobOwners) {
        for await (const page of readRows(database, table)) {
          for (const { id } of page) yield listOwned(blobs, `${table}/${id}`);
        }
      }
    },
    readBlob: (key) => blobs.get(key),
  };
}

async function listOwned(blobs: BlobStore, owner: string): Promise<OwnedBlobs> {
  const owned: OwnedBlobs['blobs'][number][] = [];
  for await (const { key, bytes } of blobs.list(owner)) {
    // Bytes read from the store itself have no checksum to verify.
    owned.push({ name: key.slice(owner.length + 1), bytes, sha256: null });
  }
  return { owner, blobs: owned };
}
