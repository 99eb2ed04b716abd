/** Runs accepted batches: makes their items at the lowest priority, returns results, cancels and deletes. */
import type { Readable } from 'node:stream';
import { type ErrorCode, PackshotError } from 'packshot-errors';
import { type AcceptorDependencies, batchItemJob, createBatchAcceptor } from './accept-batch.ts';
import {
  type Batch,
  type BatchItem,
  batchBlobs,
  type ItemCounts,
  type ItemFailure,
  isOver,
  MOST_ITEMS,
} from './batch.ts';
import { createBatchPhotos } from './batch-photos.ts';
import type { OpenItem } from './batch-store.ts';
import type { ItemMaker } from './make-item.ts';
import {
  cancelTopic,
  createBatchSweeper,
  eraseBatch,
  eraseResultsOf,
  type SweeperDependencies,
} from './sweep-batches.ts';
import { zipResults } from './zip-results.ts';

/**
 * Two, so that an item is retried once after an unexpected error or one of `retriedOnce`. Attempts that fail with any
 * other retryable `PackshotError` do not count.
 */
const maxAttempts = 2;
/**
 * Errors after which an item is retried exactly once, because they are often permanent. Of all other `PackshotError`s,
 * the retryable ones are retried without a limit, and the rest are not retried.
 */
const retriedOnce = new Set(['deadline_exceeded', 'source_fetch_failed']);

interface Dependencies extends AcceptorDependencies, SweeperDependencies {
  /** Throws if the key that posted the batch was revoked or has expired, or its account has used up its storage. */
  readonly admitItem: (batch: Batch) => Promise<void>;
  readonly items: ItemMaker;
  /** Maximum items processed in parallel. */
  readonly concurrency: number;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createBatchRunner(needs: Dependencies) {
  const { batches, blobs, queue, notices, items } = needs;
  const closing = new AbortController();
  const photos = createBatchPhotos({ batches, blobs, createFromFile: items.createFromFile });

  /** Returns undefined if the item has ended. `job`: the key of the item's job. */
  function findItem(job: string): Promise<OpenItem | undefined> {
    const [batchId = '', position] = job.split('.');
    return batches.findOpenItem(batchId, Number(position));
  }

  async function runItem(job: string): Promise<void> {
    const item = await findItem(job);
    if (!item) return;
    const canceled = new AbortController();
    const stopListening = notices.listen(cancelTopic, (told) => {
      if (told === item.batch.id) canceled.abort(new DOMException('The batch was canceled.', 'AbortError'));
    });
    try {
      closing.signal.throwIfAborted();
      await makeItem(item, AbortSignal.any([closing.signal, canceled.signal]));
    } catch (error) {
      // On shutdown, the item's job stays for the next process.
      closing.signal.throwIfAborted();
      // If an item was canceled while it ran, it is already settled.
      if (!canceled.signal.aborted) await endItem(item, error);
    } finally {
      stopListening();
    }
  }

  async function makeItem(item: OpenItem, signal: AbortSignal): Promise<void> {
    const { batch, position, recipe } = item;
    await batches.noteBegun(batch.id);
    // Checked first, so that nothing is fetched or stored for a key that has been revoked since the batch was posted.
    await needs.admitItem(batch);
    if (item.failure) throw new PackshotError(item.failure.code as ErrorCode, item.failure.detail);
    const designId = item.designId ?? (await makeDesign(item, signal));
    const { bytes, ...facts } = await items.render({ batch, designId, recipe }, signal);
    await blobs.put(batchBlobs.result(batch.id, position), bytes);
    const result = { bytes: bytes.byteLength, ...facts };
    const kept = await batches.settleItem({ ...item, designId }, { state: 'done', result });
    if (kept) queue.wake();
    // If the item was canceled or deleted meanwhile, this picture may have been stored after the others were deleted.
    else if (!(await batches.isDone(batch.id, position)))
      await blobs.deleteAll(batchBlobs.result(batch.id, position));
  }

  async function makeDesign(item: OpenItem, signal: AbortSignal): Promise<string> {
    if (item.photo) return photos.ensureDesign(item, item.photo, signal);
    if (item.url === undefined) throw new Error(`item ${item.position} of ${item.batch.id} has no photo`);
    const designId = await items.createFromUrl(item.url, item, signal);
    await batches.noteDesign(item, designId);
    return designId;
  }

  /** Ends the item, or throws the error if the queue should retry. */
  async function endItem(item: OpenItem, error: unknown): Promise<void> {
    // The queue counts an unexpected error as an attempt, and retries the item once.
    if (!(error instanceof PackshotError)) throw error;
    if (retriedOnce.has(error.code)) throw new Error(`item ${item.position} runs again`, { cause: error });
    if (error.retryable) throw error;
    await fail(item, error);
  }

  async function fail(item: OpenItem, error: unknown): Promise<void> {
    await batches.settleItem(item, { state: 'failed', failure: failureOf(error) });
    queue.wake();
    await photos.release(item);
  }

  return {
    ...createBatchAcceptor(needs),

    /** Returns one page of the items, and the counts of all items. Throws `batch_not_found`. */
    async readBatch(
      id: string,
      accountId: string,
      page: { readonly after: number; readonly limit: number },
    ): Promise<{ readonly batch: Batch; readonly counts: ItemCounts; readonly items: readonly BatchItem[] }> {
      const batch = await batches.resolveBatch(id, accountId);
      const [counts, items] = await Promise.all([batches.countItems(id), batches.listItems(id, page)]);
      return { batch, counts, items };
    },

    /** Throws `batch_not_found` and `batch_not_completed`. */
    async zipBatch(id: string, accountId: string): Promise<Readable> {
      const batch = await batches.resolveBatch(id, accountId);
      if (batch.state !== 'completed') throw notCompleted(batch);
      const items = await batches.listItems(id, { after: -1, limit: MOST_ITEMS });
      return zipResults(batch, items, async ({ position }) => {
        const bytes = await blobs.get(batchBlobs.result(id, position));
        if (!bytes) throw new Error(`the result ${position} of ${id} is gone`);
        return bytes;
      });
    },

    /** Cancels waiting items and deletes all pictures of a running batch. Deletes a finished batch altogether. */
    async eraseBatch(id: string, accountId: string): Promise<void> {
      const batch = await batches.resolveBatch(id, accountId);
      if (isOver(batch)) {
        await eraseBatch(needs, id);
        return;
      }
      await batches.cancelBatch(id);
      notices.tell(cancelTopic, id);
      // Otherwise up to 1,000 jobs with nothing to do would delay the account's next batch, and count as waiting.
      await queue.removeWaiting(batchItemJob, `${id}.`);
      await blobs.deleteAll(batchBlobs.of(id));
    },

    eraseResultsOf: (designId: string) => eraseResultsOf(needs, designId),

    sweepBatches: createBatchSweeper(needs).sweep,

    work(): void {
      queue.work(batchItemJob, {
        concurrency: needs.concurrency,
        maxAttempts,
        run: runItem,
        async giveUp(job, error) {
          const item = await findItem(job);
          if (item) await fail(item, error);
        },
      });
    },

    /** Aborts running items; their jobs stay for the next process. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

export type BatchRunner = ReturnType<typeof createBatchRunner>;

function notCompleted({ state }: Batch): PackshotError {
  return new PackshotError(
    'batch_not_completed',
    state === 'cancelled'
      ? 'The batch was canceled, and its pictures were deleted.'
      : `The batch is ${state}; GET /v1/jobs/{id} returns its progress.`,
  );
}

function failureOf(error: unknown): ItemFailure {
  const known = error instanceof Error && error.cause instanceof PackshotError ? error.cause : error;
  if (known instanceof PackshotError) return { code: known.code, detail: known.message };
  return { code: 'internal', detail: 'The picture could not be made; two attempts failed.' };
}
