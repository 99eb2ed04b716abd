/**
 * Eviction: if the blobs exceed their budget or the disk is nearly full, evicts blobs that the service can regenerate,
 * least recently used first. Never evicts any other blob.
 *
 * All blobs are listed at the start, each hour, and when there is a reason to evict. In between, the sizes of puts are
 * added up, so that a run with nothing to do only reads how many bytes are free on the disk.
 */
import type { BlobEntry, BlobStore } from './blob-store.ts';

/** Share of the budget that is still used after an eviction, so that the next blob does not trigger another. */
const budgetKept = 0.9;
/**
 * Free bytes on the disk, as multiples of the reserve that uploads leave free. When less than `low` is free, blobs are
 * evicted until `enough` is free. Both are above 1, so eviction starts before uploads are refused.
 */
const reserveShares = { low: 1.5, enough: 2 } as const;
/** Milliseconds between listings, which also find blobs that other processes have written. */
const lookEveryMs = 3_600_000;
const runEveryMs = 60_000;

interface Dependencies {
  readonly blobs: BlobStore;
  /** Together, these prefixes cover all blobs. */
  readonly prefixes: readonly string[];
  /** Whether the service can regenerate the blob of this key, with the same bytes and at no cost but time. */
  readonly isMadeAgain: (key: string) => boolean;
  /** Undefined if the blobs may use the whole disk. */
  readonly budgetBytes: number | undefined;
  readonly measureRoom: () => Promise<{
    readonly freeBytes: number;
    /** Bytes on the disk that uploads must leave free. */
    readonly reserveBytes: number;
  }>;
  readonly clock: () => number;
  /** Called with the error of each blob that could not be evicted; the run continues with the next blob. */
  readonly onError: (error: unknown) => void;
}

export interface EvictionPlan {
  readonly usedBytes: number;
  readonly budgetBytes: number | undefined;
  /** The blobs to evict, in this order; empty if there is enough room. */
  readonly evicted: readonly BlobEntry[];
  readonly evictedBytes: number;
  /** Whether evicting the blobs in `evicted` frees enough room. */
  readonly suffices: boolean;
}

export function createBlobEvictor(needs: Dependencies) {
  const { blobs, prefixes, isMadeAgain, budgetBytes, clock, onError } = needs;
  let usedBytes: number | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let evictedBytes = 0;
  /** False if the last listing found too few evictable blobs, and no evictable blob has been put since. */
  let mayHelp = true;

  async function findExcess(used: number): Promise<number> {
    const { freeBytes, reserveBytes } = await needs.measureRoom();
    const ofBudget = budgetBytes !== undefined && used > budgetBytes ? used - budgetKept * budgetBytes : 0;
    const ofDisk =
      freeBytes < reserveShares.low * reserveBytes ? reserveShares.enough * reserveBytes - freeBytes : 0;
    return Math.max(ofBudget, ofDisk);
  }

  async function planEviction(): Promise<EvictionPlan> {
    let used = 0;
    const leaving: BlobEntry[] = [];
    for (const prefix of prefixes) {
      for await (const entry of blobs.list(prefix)) {
        used += entry.bytes;
        if (isMadeAgain(entry.key)) leaving.push(entry);
      }
    }
    const excess = await findExcess(used);
    leaving.sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime());
    let bytes = 0;
    let count = 0;
    while (bytes < excess && count < leaving.length) bytes += leaving[count++]!.bytes;
    const evicted = leaving.slice(0, count);
    return { usedBytes: used, budgetBytes, evicted, evictedBytes: bytes, suffices: bytes >= excess };
  }

  async function evict(): Promise<number> {
    const plan = await planEviction();
    lookedAt = clock();
    usedBytes = plan.usedBytes;
    mayHelp = plan.suffices;
    let freed = 0;
    for (const { key, bytes } of plan.evicted) {
      await blobs.deleteAll(key).then(() => {
        freed += bytes;
      }, onError);
    }
    usedBytes -= freed;
    evictedBytes += freed;
    return freed;
  }

  async function run(): Promise<number> {
    if (usedBytes === undefined || clock() - lookedAt >= lookEveryMs) return evict();
    return mayHelp && (await findExcess(usedBytes)) > 0 ? evict() : 0;
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    await blobs.put(key, bytes);
    if (usedBytes !== undefined) usedBytes += bytes.byteLength;
    mayHelp ||= isMadeAgain(key);
  }

  let running: Promise<number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Resolves to the number of bytes evicted. Concurrent callers share one run. */
  function makeRoom(): Promise<number> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** The given store; puts through this object are counted. */
    blobs: { ...blobs, put },

    /** Plans an eviction as if it were run now, but changes nothing. */
    planEviction,
    makeRoom,
    /**
     * `usedBytes` is undefined before the first listing, and includes blobs that were deleted after the last one.
     * `evictedBytes` were evicted since the process started.
     */
    measureUse: () => ({ usedBytes, budgetBytes, evictedBytes }),

    /** Calls `admit`. If `admit` throws, evicts blobs; if that frees any bytes, calls `admit` again. */
    async admitUpload(admit: () => Promise<void>): Promise<void> {
      try {
        await admit();
      } catch (error) {
        const freedBytes = await makeRoom().catch(onError);
        if (!freedBytes) throw error;
        await admit();
      }
    },

    work(): void {
      const run = () => void makeRoom().catch(onError);
      timer = setInterval(run, runEveryMs).unref();
      run();
    },

    close(): void {
      clearInterval(timer);
    },
  };
}

export type BlobEvictor = ReturnType<typeof createBlobEvictor>;
