/** Deletes expired batches, and blobs whose batch has no row because of a crash. */
import type { BlobStore } from '../storage/blob-store.ts';
import type { Notices } from '../storage/notices.ts';
import { type BlobSweeper, type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import { batchBlobs } from './batch.ts';
import type { BatchStore } from './batch-store.ts';

/** Topic of the notice that a batch was canceled or deleted, which aborts the batch's running items. */
export const cancelTopic = 'batch-cancelled';

export interface SweeperDependencies {
  readonly batches: BatchStore;
  readonly blobs: BlobStore;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Called by each sweep with the number of bytes that each batch has stored. */
  readonly onCounted?: CountListener | undefined;
  /** Called with the error of each batch that a sweep could not delete; the sweep continues with the next batch. */
  readonly onError: (error: unknown) => void;
}

/** Deletes a batch completely: its rows, pictures and photos. Aborts the batch's running items. */
export async function eraseBatch(
  { batches, blobs, notices }: SweeperDependencies,
  id: string,
): Promise<void> {
  await batches.removeBatch(id);
  notices.tell(cancelTopic, id);
  await blobs.deleteAll(batchBlobs.of(id));
}

/** Deletes expired batches, and blobs orphaned by a crash between two writes. */
export function createBatchSweeper(needs: SweeperDependencies): BlobSweeper {
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
