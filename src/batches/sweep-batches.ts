import type { Notices } from '../storage/notices.ts';
import { type BlobSweeper, createBlobSweeper, type SweepDependencies } from '../storage/sweep-blobs.ts';
import { batchBlobs } from './batch.ts';
import type { BatchStore } from './batch-store.ts';

/** Topic of the notice that a batch was canceled or deleted, which aborts the batch's running items. */
export const cancelTopic = 'batch-cancelled';

export interface SweeperDependencies extends SweepDependencies {
  readonly batches: BatchStore;
  readonly notices: Notices;
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

/** Cancels all items that use a design, deletes their pictures, and each batch of which nothing else is left. */
export async function eraseResultsOf(needs: SweeperDependencies, designId: string): Promise<void> {
  const { batches, blobs } = needs;
  for (const item of await batches.listItemsOf(designId)) {
    const picture = batchBlobs.result(item.batchId, item.position);
    await blobs.deleteAll(picture);
    if (await batches.dropItem(item)) await eraseBatch(needs, item.batchId);
    // Again, for a picture that was finished in between. It is not the only time, because this may be interrupted.
    else await blobs.deleteAll(picture);
  }
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
