/** Time limits of calls to an object store, and the errors for their failures. */
import { storageFull, storageUnavailable } from '../storage-errors.ts';

/**
 * Limit for one call, including all its retries and the wait for a slot. Must be below the shortest timeout of the
 * service's callers: 10 s for a preview.
 */
const answerWithinMs = 9_000;
/** Extra time for the transfer; a store slower than this many bytes per millisecond counts as unavailable. */
const bytesPerMs = 1_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** Extends the deadline for a transfer of this many bytes. */
  allowFor(bytes: number): void;
}

/** Throws `storage_full` or `storage_unavailable`, no later than the deadline. */
export async function patiently<T>(work: (patience: Patience) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const began = performance.now();
  const endAt = (ms: number) => setTimeout(() => controller.abort(), ms - (performance.now() - began));
  let timer = endAt(answerWithinMs);
  try {
    return await work({
      signal: controller.signal,
      allowFor(bytes) {
        clearTimeout(timer);
        timer = endAt(answerWithinMs + bytes / bytesPerMs);
      },
    });
  } catch (error) {
    const { name, status } = readFault(error);
    // Stores have no common name for an exceeded quota: QuotaExceeded (Ceph), XMinioStorageFull,
    // XMinioAdminBucketQuotaExceeded.
    throw status === 507 || /quota|storagefull/i.test(name) ? storageFull(error) : storageUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** `status` is 0 if the store did not respond. */
export function readFault(error: unknown): { readonly name: string; readonly status: number } {
  if (!(error instanceof Error)) return { name: '', status: 0 };
  const { httpStatusCode: status = 0 } =
    (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return { name: error.name, status };
}
