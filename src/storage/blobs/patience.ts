/** Time limits of calls to an object store, and the errors when a call fails. */
import { storageFull, storageUnavailable } from '../storage-errors.ts';

/**
 * Milliseconds for one call, including its retries and the wait for a slot. Must be below the shortest timeout of the
 * service's callers, the 10 s of a preview.
 */
const answerWithinMs = 9_000;
/** A transfer extends the deadline by the time that it takes at this speed. A slower store counts as unavailable. */
const bytesPerMs = 1_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** Moves the deadline, so that a transfer of this many bytes gets more time. */
  allowFor(bytes: number): void;
}

/** Throws `storage_full` or `storage_unavailable`, at the latest when the deadline has passed. */
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
    // Stores have no common name for a quota that is used up: QuotaExceeded (Ceph), XMinioStorageFull,
    // XMinioAdminBucketQuotaExceeded.
    throw status === 507 || /quota|storagefull/i.test(name) ? storageFull(error) : storageUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the fault's name and HTTP status; `status` is 0 if the store did not respond. */
export function readFault(error: unknown): { readonly name: string; readonly status: number } {
  if (!(error instanceof Error)) return { name: '', status: 0 };
  const { httpStatusCode: status = 0 } =
    (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return { name: error.name, status };
}
