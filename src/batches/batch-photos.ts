/** Photos uploaded with a batch: each one is stored until its first item runs, and then becomes a design. */
import { PackshotError } from 'packshot-errors';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { type BatchPhoto, batchBlobs } from './batch.ts';
import type { BatchStore, OpenItem } from './batch-store.ts';
import type { ItemMaker } from './make-item.ts';

interface Dependencies {
  readonly batches: BatchStore;
  readonly blobs: BlobStore;
  readonly createFromFile: ItemMaker['createFromFile'];
}

export function createBatchPhotos({ batches, blobs, createFromFile }: Dependencies) {
  /** Concurrent items of one photo share one design. */
  const share = createSingleFlight<string>();

  async function makeDesign(item: OpenItem, photo: BatchPhoto, signal: AbortSignal): Promise<string> {
    const { batch, position } = item;
    // Another item of the same photo may have made the design and deleted the photo after this item's row was read.
    const known = (await batches.findOpenItem(batch.id, position))?.designId;
    if (known) return known;
    const key = batchBlobs.photo(batch.id, photo.number);
    const bytes = await blobs.get(key);
    if (!bytes) throw new PackshotError('missing_file', 'The photo is no longer stored; post it again.');
    const designId = await createFromFile({ bytes, fileName: photo.fileName }, item, signal);
    await batches.noteDesign(item, designId);
    await blobs.deleteAll(key);
    return designId;
  }

  return {
    /** Returns the ID of the photo's design. Throws `missing_file` and the errors of an upload. */
    ensureDesign(item: OpenItem, photo: BatchPhoto, signal: AbortSignal): Promise<string> {
      const key = batchBlobs.photo(item.batch.id, photo.number);
      return share(key, { signal }, (shared) => makeDesign(item, photo, shared.signal));
    },

    /** Deletes the photo of a finished item, unless another item still needs the photo. */
    async release({ batch, photo }: OpenItem): Promise<void> {
      if (!photo || (await batches.needsPhoto(batch.id, photo.number))) return;
      await blobs.deleteAll(batchBlobs.photo(batch.id, photo.number));
    },
  };
}
