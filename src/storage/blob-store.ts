/**
 * What a blob store is: durable bytes under a key. Keys are made by us alone, as lower-case path segments such as
 * `designs/dsg_…/source`; everything that belongs to a design lies below its prefix, so erasing a design is one
 * call and no bytes are ever shared between tenants.
 */

export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  /** When it was put; in stores that can note it, when it was last got, to the hour. */
  readonly modifiedAt: Date;
}

export interface BlobStore {
  /**
   * Resolves only when the bytes would survive a power cut. Putting a key again replaces the bytes at once and
   * whole. Throws `storage_full` or `storage_unavailable`; then nothing under the key has changed, except that a store
   * which was not heard in time may have taken the new bytes, all of them.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The whole blob, or undefined where there is none. Throws `storage_unavailable`. */
  get(key: string): Promise<Buffer | undefined>;
  /** Erases the key `prefix` itself and every key below `prefix/`; nothing there is no error. */
  deleteAll(prefix: string): Promise<void>;
  /** Every key below `prefix/`, in no order. */
  list(prefix: string): AsyncIterable<BlobEntry>;
}

const keyPattern = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

/** Throws for what no room of ours ever makes: a key is no path to climb with. */
export function checkBlobKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error(`not a blob key: ${key}`);
}
