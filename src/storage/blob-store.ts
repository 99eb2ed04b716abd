/**
 * The blob store interface: durable bytes under a key. Keys are paths such as `designs/dsg_…/source`, and only this
 * service creates them. All blobs of a design lie below the design's prefix, so deleting a design is one call, and
 * accounts never share bytes.
 */

export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  /** Time of the last put. In stores that record reads: time of the last put or get, to the hour. */
  readonly modifiedAt: Date;
}

export interface BlobStore {
  /**
   * Resolves only once the bytes would survive a power cut. Replaces an existing blob atomically. Throws
   * `storage_full` or `storage_unavailable`; the old blob is then unchanged, except that a store that timed
   * out may have stored the new blob in full.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The whole blob, or undefined if there is none. Throws `storage_unavailable`. */
  get(key: string): Promise<Buffer | undefined>;
  /** Deletes the key `prefix` itself and every key below `prefix/`. A missing key is not an error. */
  deleteAll(prefix: string): Promise<void>;
  /** Every key below `prefix/`, in no particular order. */
  list(prefix: string): AsyncIterable<BlobEntry>;
}

const keyPattern = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

/** Throws for any key that this service would not create; prevents path traversal. */
export function checkBlobKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error(`not a blob key: ${key}`);
}
