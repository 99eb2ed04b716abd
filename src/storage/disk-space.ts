/** Health check of the data folder: whether it is writable and has free space. */
import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from '../errors.ts';
import { toStorageError } from './storage-errors.ts';

/** Minimum interval between probe files, because readiness is a public endpoint. */
const probeEveryMs = 2_000;

/** Reserved for rows, logs and the cutouts of photos already uploaded. */
const defaultReserve = 256 * 1024 ** 2;

export interface DiskSpace {
  /** Free for unprivileged users. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Free bytes that uploads must leave. Default: 256 MiB, or a twentieth of a small disk. */
export const reserveOf = ({ totalBytes }: DiskSpace, minFreeBytes: number | undefined): number =>
  minFreeBytes ?? Math.min(defaultReserve, totalBytes / 20);

export interface StorageWatch {
  /** Undefined if the store is not on a local disk. Throws `storage_unavailable`. */
  measureSpace(): Promise<DiskSpace | undefined>;
  /** Called before an upload is read. Throws `storage_full` or `storage_unavailable`. */
  admitUpload(): Promise<void>;
  /** Reasons why uploads cannot be stored; empty if they can. Never rejects. */
  findObstacles(): Promise<string[]>;
}

export function watchStorage(
  dataDir: string,
  { minFreeBytes }: { readonly minFreeBytes: number | undefined },
): StorageWatch {
  let probed: { readonly at: number; readonly outcome: Promise<string | undefined> } | undefined;

  /** Result of the last write probe if that is recent, else of a new probe. */
  function probe(): Promise<string | undefined> {
    const now = performance.now();
    if (!probed || now - probed.at > probeEveryMs) {
      probed = {
        at: now,
        // Uploads are also written to this folder first.
        outcome: writeProbe(join(dataDir, 'tmp')).then(
          () => undefined,
          // The next upload logs the exact cause, which readiness does not need.
          () => 'the data folder cannot be written',
        ),
      };
    }
    return probed.outcome;
  }

  return {
    measureSpace: () => measureSpace(dataDir),

    async admitUpload() {
      const space = await measureSpace(dataDir);
      // The reserve is for everything except uploads.
      if (space.freeBytes >= reserveOf(space, minFreeBytes)) return;
      throw new PackshotError(
        'storage_full',
        'There is no room left for uploads; stored pictures remain available.',
        {
          retryAfterS: 10,
        },
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

/** Throws `storage_unavailable`. */
export async function measureSpace(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Writes one byte the way uploads are written. Rejects with the system's error. */
export async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `probe-${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile('.');
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

const inMiB = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;
