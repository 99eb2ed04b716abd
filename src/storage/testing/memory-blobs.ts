/** An in-memory blob store for tests, which checks keys as the other stores do. */
import { type BlobEntry, type BlobStore, checkBlobKey } from '../blob-store.ts';

export function openMemoryBlobStore(clock: () => number = Date.now): BlobStore {
  const blobs = new Map<string, { readonly bytes: Buffer; readonly modifiedAt: Date }>();

  async function* list(prefix: string): AsyncIterable<BlobEntry> {
    checkBlobKey(prefix);
    for (const [key, { bytes, modifiedAt }] of [...blobs])
      if (key.startsWith(`${prefix}/`)) yield { key, bytes: bytes.length, modifiedAt };
  }

  return {
    async put(key, bytes) {
      checkBlobKey(key);
      blobs.set(key, { bytes: Buffer.from(bytes), modifiedAt: new Date(clock()) });
    },
    async get(key) {
      checkBlobKey(key);
      const blob = blobs.get(key);
      return blob && Buffer.from(blob.bytes);
    },
    async deleteAll(prefix) {
      checkBlobKey(prefix);
      blobs.delete(prefix);
      for (const key of blobs.keys()) if (key.startsWith(`${prefix}/`)) blobs.delete(key);
    },
    list,
  };
}
