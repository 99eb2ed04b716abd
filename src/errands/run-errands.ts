/**
 * Conductor of errands: hands work that a caller waits for to whichever process is free for it, and brings back what
 * came of it. An errand is a row and a job; bytes travel by the blob store, so no two processes need to reach each other.
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

/** Its key is the errand's id. */
export const errandJob = 'errand';

/** Told when an errand is settled. */
const settledTopic = 'errand';
/** Told when nobody waits for an errand any more. */
const leftTopic = 'errand-left';

/** A second one where the process that did it died, or something broke. */
const maxAttempts = 2;
/** Of the process that does it, and not of the errand: a storage may come back in time, another process is not stopping. */
const passing = new Set<ErrorCode>(['storage_unavailable', 'not_ready']);
/** What was never fetched is kept so long after its time, for whoever is a little late. */
const lateMs = 60_000;

export interface ErrandAnswer {
  /** JSON. */
  readonly output: unknown;
  readonly bytes?: Uint8Array | undefined;
}

/** Does one kind of errand. What it throws as `PackshotError` reaches the caller as it is. */
export type ErrandDoer = (input: unknown, signal: AbortSignal) => Promise<ErrandAnswer>;

interface Needs {
  readonly database: Database;
  readonly errands: ErrandStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Errands of one account beyond this many unfinished ones are refused. */
  readonly maxWaiting: number;
  /** Hears of what could not be cleared away; the sweeper finds it later. */
  readonly onError: (error: unknown) => void;
}

export function createErrandRunner(needs: Needs) {
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

  /** Sends it, and answers what comes of it; its row is gone then. */
  async function bring(errand: Errand, turn: JobTurn, signal: AbortSignal): Promise<ErrandOutcome> {
    const { id } = errand;
    // Before anybody can settle it.
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

  /** Nobody waits for it any more; whoever is at work on it stops. */
  async function leave(id: string): Promise<void> {
    await errands.remove(id);
    notices.tell(leftTopic, id);
    await blobs.deleteAll(blobOf(id));
  }

  async function doErrand(errand: Errand, doer: ErrandDoer): Promise<void> {
    const { id, input, patienceMs } = errand;
    const left = new AbortController();
    const stop = () => left.abort(new DOMException('Nobody waits for it any more.', 'AbortError'));
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
      if (!(error instanceof PackshotError) || passing.has(error.code)) throw error;
      await settle(id, failed(error));
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  async function settle(id: string, outcome: ErrandOutcome): Promise<void> {
    if (await errands.settle(id, outcome)) notices.tell(settledTopic, id);
    // Its caller left while it was being settled: then nothing of it may stay.
    else if (!(await errands.isKnown(id))) await blobs.deleteAll(blobOf(id));
  }

  return {
    /**
     * Sends the errand and waits for what comes of it. Rejects with what its doer threw, with `queue_full`, with
     * `deadline_exceeded` once patience is over, or with the signal's reason; then the work is stopped wherever it is
     * done. Rank and account as in the queue; work that has no account is always taken.
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
          bring(errand, { rank, ...(accountId !== undefined && { accountId }) }, inTime),
        );
      } catch (error) {
        // Nobody waits for that.
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

    /** Starts doing errands from the queue. */
    work(doers: Readonly<Record<string, ErrandDoer>>, concurrency: number): void {
      queue.work(errandJob, {
        concurrency,
        maxAttempts,
        async run(id) {
          const errand = await errands.findOpen(id);
          if (!errand) return;
          const doer = doers[errand.kind];
          // Sent by a newer version of Packshot; one of those is there to do it, however often we are asked first.
          if (!doer) throw new PackshotError('not_ready', 'Nobody here does errands of this kind.');
          await doErrand(errand, doer);
        },
        async giveUp(id, error) {
          await settle(id, failed(new PackshotError('internal', 'The work failed.', { cause: error })));
        },
      });
    },

    /** Forgets what was never fetched. */
    async sweepErrands(): Promise<void> {
      for (const id of await errands.listExpired()) await leave(id).catch(needs.onError);
      for await (const { key, modifiedAt } of blobs.list(blobFolder)) {
        if (clock() - modifiedAt.getTime() < lateMs) continue;
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
