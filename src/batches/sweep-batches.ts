/** Deletes expired batches, and the blobs of batches that a crash left without a row. */
import type { BlobStore } from '../storage/blob-store.ts';
import type { Notices } from '../storage/notices.ts';
import { type BlobSweeper, type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import { batchBlobs } from './batch.ts';
import type { BatchStore } from './batch-store.ts';

/** Published when a batch is cancelled or deleted, to abort its running items. */
export const cancelTopic = 'batch-cancelled';

interface SweepNeeds {
  readonly batches: BatchStore;
  readonly blobs: BlobStore;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Called by each sweep with the stored bytes of each batch. */
  readonly onCounted?: CountListener | undefined;
  /** Called for each batch that a sweep could not delete; the sweep continues with the next. */
  readonly onError: (error: unknown) => void;
}

/** Deletes a batch completely: its rows, its pictures and photos. Its running items are aborted. */
export async function eraseBatch({ batches, blobs, notices }: SweepNeeds, id: string): Promise<void> {
  await batches.removeBatch(id);
  notices.tell(cancelTopic, id);
  await blobs.deleteAll(batchBlobs.of(id));
}

/** Deletes expired batches, and blobs orphaned by a crash between two writes. */
export function createBatchSweeper(needs: SweepNeeds): BlobSweeper {
  const { batches } = needs;
  return createBlobSweeper({
    ...needs,
    owners: {
      prefix: batchBlobs.all,
      listExpired: batches.listExpired,
      isKnown: batches.hasResults,
      erase: (id) => eraseBatch(needs, id),
    },
  });
}
