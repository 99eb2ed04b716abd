/** Accepts a posted batch: stores its photos, then its rows and jobs in one transaction. */

import { PackshotError } from 'packshot-errors';
import type { UploadPlaces } from '../designs/upload-places.ts';
import { newId } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import { type Batch, batchBlobs, type ItemRecipe, MOST_ITEMS } from './batch.ts';
import type { BatchStore, ItemPhoto, NewItem } from './batch-store.ts';
import { nameFiles } from './file-names.ts';

/** Name of the job. The job's key consists of the batch's ID and the item's position. */
export const batchItemJob = 'batch-item';

export interface ItemWish {
  readonly photo: ItemPhoto;
  readonly recipe: ItemRecipe;
  /** Name for the picture's file, as the caller wrote it. */
  readonly name: string | undefined;
  /** Name of its folder in the ZIP. */
  readonly folder?: string | undefined;
}

type BatchOwner = Pick<Batch, 'accountId' | 'keyId' | 'sandbox'>;

interface BatchWishes extends Pick<Batch, 'events'> {
  readonly wishes: readonly ItemWish[];
}

export interface AcceptorDependencies {
  readonly database: Database;
  readonly batches: BatchStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  /** Throws if the storage is full, or if the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  /** Memory slots, which all uploads share. While a batch is uploaded, it holds one file in memory at a time. */
  readonly uploadPlaces: UploadPlaces;
  /** A new batch is refused while this many items of the account's earlier batches are waiting. */
  readonly maxWaitingItems: number;
}

export function createBatchAcceptor(needs: AcceptorDependencies) {
  const { database, batches, blobs, queue } = needs;

  async function insert(
    batch: Parameters<BatchStore['insertBatch']>[0],
    wishes: readonly ItemWish[],
  ): Promise<Batch> {
    if (wishes.length === 0 || wishes.length > MOST_ITEMS)
      throw new Error(`${wishes.length} items in a batch`);
    const names = nameFiles(wishes.map(({ recipe: { format }, ...names }) => ({ ...names, format })));
    const items = wishes.map(({ photo, recipe }, i): NewItem => ({ ...photo, recipe, fileName: names[i]! }));
    const made = await transact(database, async (transaction) => {
      const jobs = items.map((_, position) => `${batch.id}.${position}`);
      await queue.enqueue(batchItemJob, jobs, transaction, { accountId: batch.accountId });
      return batches.insertBatch(batch, items, transaction);
    });
    queue.wake();
    return made;
  }

  async function admit(accountId: string): Promise<void> {
    const waiting = await queue.countOf(batchItemJob, accountId);
    if (waiting < needs.maxWaitingItems) return;
    throw new PackshotError(
      'queue_full',
      `${waiting} pictures of your account's batches are already waiting; post this batch when some of them are done.`,
      { retryAfterS: 60 },
    );
  }

  return {
    /** Resolves when the batch and all its jobs are durable. Throws `queue_full`. */
    async createBatch(
      owner: BatchOwner & Pick<Batch, 'events'>,
      wishes: readonly ItemWish[],
    ): Promise<Batch> {
      await needs.admitUpload(owner.accountId);
      await admit(owner.accountId);
      return insert({ ...owner, id: newId('bat') }, wishes);
    },

    /**
     * Like `createBatch`, for a batch that is uploaded together with its photos. `read` stores the photos one by one,
     * numbered from 0, and returns the items to make. After an error that is not retryable, all photos stored so far
     * are deleted at once.
     */
    async createBatchOfFiles(
      owner: BatchOwner,
      read: (keep: (number: number, bytes: Uint8Array) => Promise<void>) => Promise<BatchWishes>,
      signal: AbortSignal,
    ): Promise<Batch> {
      // Checked before anything is read, so that the photos of a refused upload are not transferred.
      await needs.admitUpload(owner.accountId);
      await admit(owner.accountId);
      const id = newId('bat');
      const keep = async (number: number, bytes: Uint8Array) => {
        await needs.admitUpload(owner.accountId);
        await blobs.put(batchBlobs.photo(id, number), bytes);
      };
      return needs.uploadPlaces.hold({ account: owner.accountId, signal }, async () => {
        try {
          const { events, wishes } = await read(keep);
          return await insert({ ...owner, events, id }, wishes);
        } catch (error) {
          // After a retryable error, the commit may still have succeeded, so keep the photos. If the commit failed, the
          // sweep deletes them.
          if (!(error instanceof PackshotError && error.retryable))
            await blobs.deleteAll(batchBlobs.of(id)).catch(() => undefined);
          throw error;
        }
      });
    },
  };
}
