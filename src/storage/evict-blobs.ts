/**
 * Conductor of room: where the blobs outgrow their budget, or the disk runs full, those that are made again when they
 * are missing go, least recently used first. Nothing else ever goes for want of room.
 *
 * All blobs are looked at when the service starts, each hour, and when there is a reason to evict. Between two looks
 * what is put is added up, so that a run with nothing to do asks the disk for its free bytes and no more.
 */
import type { BlobEntry, BlobStore } from './blob-store.ts';

/** More goes than must, so that the next blob does not ask for room again. */
const budgetKept = 0.9;
/** Of what uploads leave free. Below the first share room is made until there is the second: before uploads are refused. */
const reserveShares = { low: 1.5, enough: 2 } as const;
/** What other processes put or erased is seen after so long. */
const lookEveryMs = 3_600_000;
const runEveryMs = 60_000;

interface Needs {
  readonly blobs: BlobStore;
  /** Together all blobs lie below them. */
  readonly prefixes: readonly string[];
  /** Whether whoever misses the blob makes it again, with the same bytes and for nothing but time. */
  readonly isMadeAgain: (key: string) => boolean;
  /** Undefined for as much as the disk holds. */
  readonly budgetBytes: number | undefined;
  readonly measureRoom: () => Promise<{
    readonly freeBytes: number;
    /** What uploads leave free. */
    readonly reserveBytes: number;
  }>;
  readonly clock: () => number;
  /** Hears of what a run could not evict; it goes on with the next. */
  readonly onError: (error: unknown) => void;
}

export interface EvictionPlan {
  /** Of all blobs. */
  readonly usedBytes: number;
  readonly budgetBytes: number | undefined;
  /** The first to go first; none where there is room enough. */
  readonly evicted: readonly BlobEntry[];
  readonly evictedBytes: number;
  /** Whether that leaves room enough. */
  readonly suffices: boolean;
}

export interface BlobUse {
  /** Undefined before the first look. More than there is, by what was erased since the last one. */
  readonly usedBytes: number | undefined;
  readonly budgetBytes: number | undefined;
  /** Since the start. */
  readonly evictedBytes: number;
}

export function createBlobEvictor(needs: Needs) {
  const { blobs, prefixes, isMadeAgain, budgetBytes, clock, onError } = needs;
  let usedBytes: number | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let evictedBytes = 0;
  /** False where the last look found too little that may go, and nothing of the kind was put since. */
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

  /** Resolves to the bytes that went. Runs of several callers are one. */
  function makeRoom(): Promise<number> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** The same store; what is put through it is added up. */
    blobs: { ...blobs, put },

    /** What a run that looks at everything would do just now. Changes nothing. */
    planEviction,
    makeRoom,
    measureUse: (): BlobUse => ({ usedBytes, budgetBytes, evictedBytes }),

    /** `admit` throws where there is no room for uploads; then room is made, and it is asked once more. */
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
