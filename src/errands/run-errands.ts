/**
 * Remote tasks (errands): sends work that a caller waits for to any free worker process, and returns its
 * outcome. A task is a row and a job; bytes travel through the blob store, so processes need no direct
 * connection.
 */
import { underDeadline } from '../deadline.ts';
import { type ErrorCode, PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { JobTurn, Queue } from '../jobs/queue.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import { expectNotice, type Notices } from '../storage/notices.ts';
import { transact } from '../storage/transact.ts';
import type { Errand, ErrandOutcome, ErrandStore } from './errand-store.ts';

/** The job's key is the task's id. */
export const errandJob = 'errand';

/** Published when a task is settled. */
const settledTopic = 'errand';
/** Published when a caller stops waiting for a task. */
const leftTopic = 'errand-left';

/** One retry, if the worker died or the handler failed unexpectedly. */
const maxAttempts = 2;
/**
 * Faults of the worker, not of the task: storage may recover in time, and another process is not shutting
 * down.
 */
const transientCodes = new Set<ErrorCode>(['storage_unavailable', 'not_ready']);
/** Outcomes are kept this long after the timeout, for senders that are slightly late. */
const graceMs = 60_000;

export interface ErrandAnswer {
  /** JSON. */
  readonly output: unknown;
  readonly bytes?: Uint8Array | undefined;
}

/** Handles one kind of task. A `PackshotError` that it throws reaches the caller unchanged. */
export type ErrandDoer = (input: unknown, signal: AbortSignal) => Promise<ErrandAnswer>;

interface Dependencies {
  readonly database: Database;
  readonly errands: ErrandStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Maximum unfinished tasks of one account; further ones are refused. */
  readonly maxWaiting: number;
  /** Called with errors of cleaning up; the sweep erases the leftovers later. */
  readonly onError: (error: unknown) => void;
}

export function createErrandRunner(needs: Dependencies) {
  const { database, errands, blobs, queue, notices, clock } = needs;

  async function admit(accountId: string | undefined): Promise<void> {
    if (accountId === undefined || (await queue.countOf(errandJob, accountId)) < needs.maxWaiting) return;
    throw new PackshotError(
      'queue_full',
      'Too many pictures of your account are waiting; try again in a moment.',
      {
        retryAfterS: 5,
      },
    );
  }

  /** Sends the task and waits for its outcome; its row is deleted afterwards. */
  async function sendAndWait(errand: Errand, turn: JobTurn, signal: AbortSignal): Promise<ErrandOutcome> {
    const { id } = errand;
    // Subscribe before any worker can settle it.
    let notice = expectNotice(notices, settledTopic, id, signal);
    try {
      await transact(database, async (transaction) => {
        await errands.insertErrand(errand, transaction);
        await queue.enqueue(errandJob, id, transaction, turn);
      });
      queue.wake();
      for (;;) {
        await notice.arrival;
        notice.stop();
        notice = expectNotice(notices, settledTopic, id, signal);
        const outcome = await errands.takeOutcome(id);
        if (outcome) return outcome;
      }
    } finally {
      notice.stop();
    }
  }

  /** The caller has stopped waiting: deletes the row and aborts the worker. */
  async function leave(id: string): Promise<void> {
    await errands.remove(id);
    notices.tell(leftTopic, id);
    await blobs.deleteAll(blobOf(id));
  }

  async function doErrand(errand: Errand, doer: ErrandDoer): Promise<void> {
    const { id, input, patienceMs } = errand;
    const left = new AbortController();
    const stop = () => left.abort(new DOMException('No caller is waiting.', 'AbortError'));
    const stopListening = notices.listen(leftTopic, (told) => {
      if (told === id) stop();
    });
    const timer = setTimeout(stop, patienceMs);
    try {
      const { output, bytes } = await doer(input, left.signal);
      if (bytes) await blobs.put(blobOf(id), bytes);
      await settle(id, { state: 'done', output, hasBytes: bytes !== undefined });
    } catch (error) {
      if (left.signal.aborted) return;
      if (!(error instanceof PackshotError) || transientCodes.has(error.code)) throw error;
      await settle(id, failed(error));
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  async function settle(id: string, outcome: ErrandOutcome): Promise<void> {
    if (await errands.settle(id, outcome)) notices.tell(settledTopic, id);
    // Its caller left while it was being settled: erase its bytes.
    else if (!(await errands.isKnown(id))) await blobs.deleteAll(blobOf(id));
  }

  return {
    /**
     * Sends a task and waits for its outcome. Rejects with the handler's error, with `queue_full`, with
     * `deadline_exceeded` after the timeout, or with the signal's reason; the worker is then aborted. Rank
     * and account as in the queue; tasks without an account are never refused.
     */
    async send(
      kind: string,
      input: unknown,
      options: Pick<JobTurn, 'rank' | 'accountId'> & {
        readonly patienceMs: number;
        readonly signal: AbortSignal;
      },
    ): Promise<ErrandAnswer> {
      const { rank = 0, accountId } = options;
      await admit(accountId);
      const errand: Errand = {
        id: newId('err'),
        kind,
        input,
        patienceMs: options.patienceMs,
      };
      let outcome: ErrandOutcome;
      try {
        const { patienceMs: timeoutMs, signal } = options;
        outcome = await underDeadline({ timeoutMs, signal, what: 'The work' }, (inTime) =>
          sendAndWait(errand, { rank, ...(accountId !== undefined && { accountId }) }, inTime),
        );
      } catch (error) {
        // The caller does not wait for the cleanup.
        leave(errand.id).catch(needs.onError);
        throw error;
      }
      if (outcome.state === 'failed') throw toError(outcome.failure);
      if (!outcome.hasBytes) return { output: outcome.output };
      const bytes = await blobs.get(blobOf(errand.id));
      blobs.deleteAll(blobOf(errand.id)).catch(needs.onError);
      if (!bytes) throw new Error(`the answer of ${errand.id} is gone`);
      return { output: outcome.output, bytes };
    },

    /** Starts handling tasks from the queue. */
    work(doers: Readonly<Record<string, ErrandDoer>>, concurrency: number): void {
      queue.work(errandJob, {
        concurrency,
        maxAttempts,
        async run(id) {
          const errand = await errands.findOpen(id);
          if (!errand) return;
          const doer = doers[errand.kind];
          // Sent by a newer version of Packshot; a worker of that version will take it, however often this
          // one sees it first.
          if (!doer) throw new PackshotError('not_ready', 'Nobody here does errands of this kind.');
          await doErrand(errand, doer);
        },
        async giveUp(id, error) {
          await settle(id, failed(new PackshotError('internal', 'The work failed.', { cause: error })));
        },
      });
    },

    /** Deletes outcomes that were never fetched. */
    async sweepErrands(): Promise<void> {
      for (const id of await errands.listExpired()) await leave(id).catch(needs.onError);
      for await (const { key, modifiedAt } of blobs.list(blobFolder)) {
        if (clock() - modifiedAt.getTime() < graceMs) continue;
        const id = key.slice(blobFolder.length + 1);
        if (!(await errands.isKnown(id))) await blobs.deleteAll(key).catch(needs.onError);
      }
    },
  };
}

export type ErrandRunner = ReturnType<typeof createErrandRunner>;

const blobFolder = 'errands';
const blobOf = (id: string) => `${blobFolder}/${id}`;

function failed(error: PackshotError): ErrandOutcome {
  const { code, message: detail, retryAfterS } = error;
  return { state: 'failed', failure: { code, detail, retryAfterS } };
}

function toError({ code, detail, retryAfterS }: Extract<ErrandOutcome, { state: 'failed' }>['failure']) {
  return new PackshotError(code as ErrorCode, detail, { ...(retryAfterS !== undefined && { retryAfterS }) });
}
