/** Photos uploaded with a batch: each is stored until its first item runs, and then becomes a design. */
import { PackshotError } from '../errors.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { type Batch, type BatchPhoto, batchBlobs } from './batch.ts';
import type { BatchStore, OpenItem } from './batch-store.ts';
import type { ItemMaker } from './make-item.ts';

interface Dependencies {
  readonly batches: BatchStore;
  readonly blobs: BlobStore;
  readonly createFromFile: ItemMaker['createFromFile'];
}

export function createBatchPhotos({ batches, blobs, createFromFile }: Dependencies) {
  /** Concurrent items of one photo share one design. */
  const underWay = new Map<string, Promise<string>>();

  async function upload(photo: BatchPhoto, batch: Batch, signal: AbortSignal): Promise<string> {
    const bytes = await blobs.get(batchBlobs.photo(batch.id, photo.number));
    if (!bytes) throw new PackshotError('missing_file', 'The photo is no longer stored; post it again.');
    return createFromFile({ bytes, fileName: photo.fileName }, batch, signal);
  }

  return {
    /** Throws what uploading throws, and `missing_file`. */
    async ensureDesign(item: OpenItem, photo: BatchPhoto, signal: AbortSignal): Promise<string> {
      const { batch } = item;
      const key = batchBlobs.photo(batch.id, photo.number);
      const running = underWay.get(key);
      if (running) return running;
      const making = upload(photo, batch, signal);
      underWay.set(key, making);
      try {
        const designId = await making;
        await batches.noteDesign(item, designId);
        await blobs.deleteAll(key);
        return designId;
      } finally {
        underWay.delete(key);
      }
    },

    /** Erases the photo of a finished item, unless another item still needs it. */
    async release({ batch, photo }: OpenItem): Promise<void> {
      if (!photo || (await batches.needsPhoto(batch.id, photo.number))) return;
      await blobs.deleteAll(batchBlobs.photo(batch.id, photo.number));
    },
  };
}
