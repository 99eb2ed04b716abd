/**
 * Builds the evictor, which makes room on the disk: it deletes blobs that can be regenerated. A bucket is unlimited and
 * needs no evictor.
 */
import { batchBlobs } from '../batches/batch.ts';
import type { Config } from '../config.ts';
import { designBlobs } from '../designs/design.ts';
import { backdropBlobs, isDrawnAgain } from '../illustrations/illustration.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { measureSpace, reserveOf } from '../storage/disk-space.ts';
import { createBlobEvictor } from '../storage/evict-blobs.ts';

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
