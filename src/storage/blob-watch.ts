/** Health check of a remote blob store. It cannot report free space. */
import { PackshotError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { StorageWatch } from './disk-space.ts';

/** Readiness is a public endpoint: the store is probed at most this often. */
const probeEveryMs = 2_000;
/** Timeout of a probe. Callers wait for its result, so a slower store counts as unavailable. */
const answerWithinMs = 2_000;
/** This key never exists; "not found" proves that the store responds. */
const probeKey = 'probe/none';

export function watchBlobs(blobs: BlobStore): StorageWatch {
  let probed: { readonly at: number; readonly fault: Promise<Error | undefined> } | undefined;

  /** Result of the last probe if that is recent, else of a new probe. */
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
      // Reject the upload before it is read, so that it is not held in memory until the put times out.
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
