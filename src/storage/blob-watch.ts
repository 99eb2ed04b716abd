/** Health check of a remote blob store, which cannot report how much space is free. */
import { PackshotError } from 'packshot-errors';
import type { BlobStore } from './blob-store.ts';
import { type StorageWatch, shareProbe } from './disk-space.ts';

/** Timeout of a probe, in milliseconds. Callers wait for the result, so a slower store counts as unavailable. */
const answerWithinMs = 2_000;
/** There is never a blob under this key: the response "not found" proves that the store responds. */
const probeKey = 'probe/none';

export function watchBlobs(blobs: BlobStore): StorageWatch {
  const findFault = shareProbe(() => probe(blobs));

  return {
    measureSpace: async () => undefined,

    async admitUpload() {
      const cause = await findFault();
      if (!cause) return;
      // Reject the upload before it is read. Otherwise, it would be held in memory until the put times out.
      throw new PackshotError('storage_unavailable', 'Uploads cannot be stored right now; try again soon.', {
        cause,
        retryAfterS: 5,
      });
    },

    findObstacles: async () => ((await findFault()) ? ['the object store does not respond'] : []),
  };
}

/** Never rejects. */
async function probe(blobs: BlobStore): Promise<Error | undefined> {
  const silence = Promise.withResolvers<Error>();
  const timer = setTimeout(() => silence.resolve(new Error('no response in time')), answerWithinMs);
  const asked = blobs.get(probeKey).then(
    () => undefined,
    (error: Error) => error,
  );
  try {
    return await Promise.race([asked, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
