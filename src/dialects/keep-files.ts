/**
 * Keeps the files of a call that are needed only once its cutout is made: in the blob store, beside the design, rather
 * than in memory.
 */
import { designBlobs } from '../designs/design.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { digestOf } from './make-picture.ts';
import type { KeptFile, PictureOrder } from './order.ts';

/** Returns the order without bytes. `behind`: the picture of the background, if there is one. */
export async function keepFiles(
  blobs: Pick<BlobStore, 'put'>,
  designId: string,
  { background, masks, ...order }: PictureOrder,
  behind: Uint8Array | undefined,
): Promise<PictureOrder> {
  async function keep(name: string, file: Uint8Array | KeptFile | undefined): Promise<KeptFile | undefined> {
    if (!file || 'key' in file) return file;
    const kept = { key: designBlobs.callFile(designId, name), digest: digestOf(file) };
    await blobs.put(kept.key, file);
    return kept;
  }
  const picture = await keep('background', behind);
  return {
    ...order,
    background: picture ? { picture } : background,
    masks: masks && {
      keep: await keep('keep-mask', masks.keep),
      remove: await keep('remove-mask', masks.remove),
    },
  };
}
