/** Says whether the data folder can take more: whether it can be written, and has room to spare. */
import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from '../errors.ts';
import { toStorageError } from './storage-errors.ts';

/** Anyone may ask whether the service is ready; a file is written for it no more often than this. */
const probeEveryMs = 2_000;

/** Room for rows, logs and the cutouts of what was uploaded already. */
const defaultReserve = 256 * 1024 ** 2;

export interface DiskSpace {
  /** For users without privileges. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What uploads leave free. Where it is not told: 256 MiB, or a twentieth of a small disk. */
export const reserveOf = ({ totalBytes }: DiskSpace, minFreeBytes: number | undefined): number =>
  minFreeBytes ?? Math.min(defaultReserve, totalBytes / 20);

export interface StorageWatch {
  /** Undefined where the store is no disk of this machine. Throws `storage_unavailable`. */
  measureSpace(): Promise<DiskSpace | undefined>;
  /** Before an upload is read. Throws `storage_full` or `storage_unavailable`. */
  admitUpload(): Promise<void>;
  /** Reasons why uploads cannot be kept; none when they can. Never rejects. */
  findObstacles(): Promise<string[]>;
}

export function watchStorage(
  dataDir: string,
  { minFreeBytes }: { readonly minFreeBytes: number | undefined },
): StorageWatch {
  let probed: { readonly at: number; readonly outcome: Promise<string | undefined> } | undefined;

  /** The last try to write, if it is fresh. */
  function probe(): Promise<string | undefined> {
    const now = performance.now();
    if (!probed || now - probed.at > probeEveryMs) {
      probed = {
        at: now,
        // Where uploads are first written, too.
        outcome: writeProbe(join(dataDir, 'tmp')).then(
          () => undefined,
          // Which of all reasons it is, the log of the next upload says; here it only matters that it is so.
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
      // What is left is meant for everything else.
      if (space.freeBytes >= reserveOf(space, minFreeBytes)) return;
      throw new PackshotError('storage_full', 'There is no room left for uploads; what is here is served.', {
        retryAfterS: 10,
      });
    },

    async findObstacles() {
      const space = await measureSpace(dataDir).catch(() => undefined);
      if (!space) return ['the data folder is not there'];
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

/** Writes a byte the way uploads are written. Rejects with what the system says. */
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
