/** Hands the evictor what it may take and how much room there is. A bucket has no end, and needs none. */
import { batchBlobs } from '../batches/batch.ts';
import type { Config } from '../config.ts';
import { designBlobs } from '../designs/design.ts';
import { backdropBlobs, isDrawnAgain } from '../illustrations/illustration.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createBlobEvictor } from '../storage/evict-blobs.ts';
import { measureSpace, reserveOf } from '../storage/storage-watch.ts';

/** Undefined where the blobs are in no folder of ours. */
export function wireEvictor({ storage }: Config, blobs: BlobStore, onError: (error: unknown) => void) {
  if (storage.blobs.kind !== 'fs') return undefined;
  const { dataDir, minFreeBytes, budgetBytes } = storage;
  return createBlobEvictor({
    blobs,
    prefixes: [designBlobs.all, backdropBlobs.all, batchBlobs.all],
    isMadeAgain: isDrawnAgain,
    budgetBytes,
    async measureRoom() {
      const space = await measureSpace(dataDir);
      return { freeBytes: space.freeBytes, reserveBytes: reserveOf(space, minFreeBytes) };
    },
    clock: Date.now,
    onError,
  });
}
