/** Health check of a remote blob store, which cannot report how much space is free. */
import { PackshotError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { StorageWatch } from './disk-space.ts';

/** Minimum milliseconds between probes, because anyone may call the readiness endpoint. */
const probeEveryMs = 2_000;
/** Timeout of a probe, in milliseconds. Callers wait for the result, so a slower store counts as unavailable. */
const answerWithinMs = 2_000;
/** There is never a blob under this key: the response "not found" proves that the store responds. */
const probeKey = 'probe/none';

export function watchBlobs(blobs: BlobStore): StorageWatch {
  let probed: { readonly at: number; readonly fault: Promise<Error | undefined> } | undefined;

  /** Returns the result of the last probe if it is recent; otherwise, of a new probe. */
  function findFault(): Promise<Error | undefined> {
    const now = performance.now();
    if (!probed || now - probed.at > probeEveryMs) probed = { at: now, fault: probe(blobs) };
    return probed.fault;
  }

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
