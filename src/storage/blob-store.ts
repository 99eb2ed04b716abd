/**
 * The blob store interface: durable bytes under a key. Keys are paths such as `designs/dsg_…/source`, and only this
 * service creates them. All blobs of a design have the design's prefix, so one call deletes a design, and no two
 * accounts share a blob.
 */

export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  /** Time of the last put. In stores that record reads: time of the last put or get, within an hour. */
  readonly modifiedAt: Date;
}

export interface BlobStore {
  /**
   * Resolves only once the bytes would survive a power cut. Replaces an existing blob atomically. Throws `storage_full`
   * or `storage_unavailable`. After an error the old blob is unchanged, except that a store that timed out may hold the
   * complete new blob.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns the whole blob, or undefined if there is none. Throws `storage_unavailable`. */
  get(key: string): Promise<Buffer | undefined>;
  /** Deletes the key `prefix` itself and every key below `prefix/`. It is no error if there are none. */
  deleteAll(prefix: string): Promise<void>;
  /** Yields every key below `prefix/`, in no particular order. */
  list(prefix: string): AsyncIterable<BlobEntry>;
}

const keyPattern = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

/** Throws for every key that this service would not create; this prevents path traversal. */
export function checkBlobKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error(`not a blob key: ${key}`);
}
