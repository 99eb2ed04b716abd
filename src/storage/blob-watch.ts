/** Says whether a blob store that is no disk of ours answers. How much room it has, it does not tell. */
import { PackshotError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { StorageWatch } from './storage-watch.ts';

/** Anyone may ask whether the service is ready; the store is asked for it no more often than this. */
const probeEveryMs = 2_000;
/** Whoever asks is waiting: a store that takes longer is told of as one that does not answer. */
const answerWithinMs = 2_000;
/** Never there; being told so is the answer. */
const probeKey = 'probe/none';

export function watchBlobs(blobs: BlobStore): StorageWatch {
  let probed: { readonly at: number; readonly fault: Promise<Error | undefined> } | undefined;

  /** Of the last try, if it is fresh. */
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
      // Bytes that could not be kept need not be read: they would sit in memory until the store is given up.
      throw new PackshotError('storage_unavailable', 'Uploads cannot be kept just now; try again soon.', {
        cause,
        retryAfterS: 5,
      });
    },

    findObstacles: async () => ((await findFault()) ? ['the object store does not answer'] : []),
  };
}

/** Never rejects. */
async function probe(blobs: BlobStore): Promise<Error | undefined> {
  const silence = Promise.withResolvers<Error>();
  const timer = setTimeout(() => silence.resolve(new Error('no answer in time')), answerWithinMs);
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
