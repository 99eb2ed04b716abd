/** Health check of the data folder: whether it is writable and its disk has free space. */
import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from 'packshot-errors';
import { durable, guard } from './files.ts';

/** Minimum milliseconds between probes, because anyone may call the readiness endpoint. */
const probeEveryMs = 2_000;

/** Bytes that are reserved for rows, logs and the cutouts of photos that are already stored. */
const defaultReserve = 256 * 1024 ** 2;

export interface DiskSpace {
  /** Free bytes that are available to unprivileged users. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Free bytes that uploads must leave on the disk. Default: 256 MiB, but at most a twentieth of the disk. */
export const reserveOf = ({ totalBytes }: DiskSpace, minFreeBytes: number | undefined): number =>
  minFreeBytes ?? Math.min(defaultReserve, totalBytes / 20);

export interface StorageWatch {
  /** Resolves to undefined if the blobs are not on a local disk. Throws `storage_unavailable`. */
  measureSpace(): Promise<DiskSpace | undefined>;
  /** Called before an upload is read. Throws `storage_full` or `storage_unavailable`. */
  admitUpload(): Promise<void>;
  /** Returns the reasons why uploads cannot be stored; empty if uploads can be stored. Never rejects. */
  findObstacles(): Promise<string[]>;
}

export function watchStorage(
  dataDir: string,
  { minFreeBytes }: { readonly minFreeBytes: number | undefined },
): StorageWatch {
  // The probe writes to this folder because uploads, too, are written there first.
  const probe = shareProbe(() =>
    writeProbe(join(dataDir, 'tmp')).then(
      () => undefined,
      // Readiness does not need the exact cause; the next upload logs it.
      () => 'the data folder cannot be written',
    ),
  );

  return {
    measureSpace: () => measureSpace(dataDir),

    async admitUpload() {
      const space = await measureSpace(dataDir);
      // The reserve is for everything other than uploads.
      if (space.freeBytes >= reserveOf(space, minFreeBytes)) return;
      throw new PackshotError(
        'storage_full',
        'There is no room left for uploads; stored pictures remain available.',
        { retryAfterS: 10 },
      );
    },

    async findObstacles() {
      const space = await measureSpace(dataDir).catch(() => undefined);
      if (!space) return ['the data folder does not exist'];
      const written = await probe();
      const reserve = reserveOf(space, minFreeBytes);
      return [
        ...(space.freeBytes < reserve
          ? [`the disk has ${inMiB(space.freeBytes)} free, less than ${inMiB(reserve)}`]
          : []),
        ...(written === undefined ? [] : [written]),
      ];
    },
  };
}

/** Returns a function that returns the outcome of the last probe if it is recent; otherwise, of a new probe. */
export function shareProbe<T>(probe: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly outcome: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > probeEveryMs) last = { at: now, outcome: probe() };
    return last.outcome;
  };
}

/** Throws `storage_unavailable`. */
export async function measureSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await guard(() => statfs(folder));
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Writes one byte in the way uploads are written. Rejects with the error of the operating system. */
export async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `probe-${randomUUID()}`);
  try {
    await writeFile(path, '.', durable);
  } finally {
    await rm(path, { force: true });
  }
}

const inMiB = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;
