/**
 * Calls between processes. Each call is a job, for whose result the caller waits.
 *
 *     called ──> a job ──done by a worker──> a result ──fetched by the caller──> (none)
 *                  └──the caller left, or timed out──> (none)
 *
 * The result is a row, and its bytes go through the blob store, so processes need no direct connection.
 */
import { type ErrorCode, PackshotError } from 'packshot-errors';
import { underDeadline } from '../deadline.ts';
import { newId } from '../ids.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import { expectNotice, type Notices } from '../storage/notices.ts';
import { deleteRows } from '../storage/rows.ts';
import type { JobTurn, Queue, RunningJob } from './queue.ts';

/** Name of the job. The job's key is the call's ID. */
export const remoteCallJob = 'remote-call';

/** Topic of the notice that a call has its result; the notice's key is the call's ID. */
const answeredTopic = 'remote-call';
/** Two, so that a call is retried once if the handler failed unexpectedly. The death of a worker costs no attempt. */
const maxAttempts = 2;
/**
 * Errors that are the worker's fault, not the call's. A retry may succeed: the storage may recover in time, or another
 * process, which is not shutting down, may take the job.
 */
const transientCodes = new Set<ErrorCode>(['storage_unavailable', 'not_ready']);
/** Difference that is tolerated between the clocks of two machines, in milliseconds. */
const skewMs = 60_000;
/** Age at which a result is deleted, in milliseconds; no caller waits that long. */
const keptMs = 3_600_000;
const blobFolder = 'calls';
const blobOf = (id: string) => `${blobFolder}/${id}`;

/** Input and output of each task, by the task's name; both are JSON. */
export type RemoteTasks = Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;

export interface RemoteAnswer<Output> {
  readonly output: Output;
  readonly bytes?: Uint8Array | undefined;
}

/** The function that does the work of each task. If it throws a `PackshotError`, the caller gets the same error. */
export type RemoteHandlers<Tasks extends RemoteTasks> = {
  readonly [Task in keyof Tasks]: (
    input: Tasks[Task]['input'],
    signal: AbortSignal,
  ) => Promise<RemoteAnswer<Tasks[Task]['output']>>;
};

export interface CallOptions extends Required<Pick<JobTurn, 'rank' | 'accountId'>> {
  /** Maximum milliseconds from the call to its result. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Input of the job of a call. */
interface CallInput {
  readonly task: string;
  readonly input: unknown;
  /** A duration, not a point in time, because the clocks of two processes may differ. */
  readonly timeoutMs: number;
}

type CallResult =
  | { readonly output: unknown; readonly hasBytes: boolean }
  | { readonly code: ErrorCode; readonly detail: string; readonly retryAfterS: number | undefined };

interface Dependencies {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Maximum unfinished calls per account; further calls are refused. */
  readonly maxWaiting: number;
  /** Called with errors of a cleanup; the sweep later deletes what the cleanup left. */
  readonly onError: (error: unknown) => void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createRemoteCalls<Tasks extends RemoteTasks>(needs: Dependencies) {
  const { database, blobs, queue, notices, clock } = needs;

  async function admit(accountId: string): Promise<void> {
    if ((await queue.countOf(remoteCallJob, accountId)) < needs.maxWaiting) return;
    throw new PackshotError(
      'queue_full',
      'Too many pictures of your account are waiting; try again in a moment.',
      { retryAfterS: 5 },
    );
  }

  async function callAndWait(id: string, turn: JobTurn, signal: AbortSignal): Promise<CallResult> {
    // Subscribe before the call is enqueued, so that no result is missed.
    let notice = expectNotice(notices, answeredTopic, id, signal);
    try {
      await queue.enqueue(remoteCallJob, id, database, turn);
      queue.wake();
      for (;;) {
        await notice.arrival;
        notice.stop();
        notice = expectNotice(notices, answeredTopic, id, signal);
        const row = await database
          .deleteFrom('call_results')
          .where('id', '=', id)
          .returning('result')
          .executeTakeFirst();
        if (row) return JSON.parse(row.result);
      }
    } finally {
      notice.stop();
    }
  }

  /** Cleans up once the caller has stopped waiting: removes the job, which aborts the worker. */
  async function leave(id: string): Promise<void> {
    await queue.remove(remoteCallJob, id);
    await deleteRows(database, 'call_results', { id });
    await blobs.deleteAll(blobOf(id));
  }

  async function answer(id: string, job: RunningJob, handlers: RemoteHandlers<RemoteTasks>): Promise<void> {
    const { task, input, timeoutMs } = job.input as CallInput;
    if (job.createdAt.getTime() + timeoutMs + skewMs < clock()) return;
    const handler = handlers[task];
    // A newer release made the call. This error does not count as an attempt, so that a worker of that release can take
    // the job.
    if (!handler) throw new PackshotError('not_ready', `No handler for remote calls of ${task}.`);
    const signal = AbortSignal.any([job.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const { output, bytes } = await handler(input, signal);
      if (bytes) await blobs.put(blobOf(id), bytes);
      await settle(id, { output, hasBytes: bytes !== undefined });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof PackshotError) || transientCodes.has(error.code)) throw error;
      await settle(id, failed(error));
    }
  }

  /** Stores the result if the job's row still exists: the row is deleted when the caller stops waiting. */
  async function settle(id: string, result: CallResult): Promise<void> {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('call_results')
      .columns(['id', 'result', 'created_at'])
      .expression((query) =>
        query
          .selectFrom('jobs')
          .select(({ cast, val }) => [
            'key',
            cast<string>(val(JSON.stringify(result)), 'text').as('result'),
            'created_at',
          ])
          .where('name', '=', remoteCallJob)
          .where('key', '=', id),
      )
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) notices.tell(answeredTopic, id);
    // The caller left while the bytes were being stored.
    else await blobs.deleteAll(blobOf(id));
  }

  return {
    /**
     * Runs a task on any free worker process and waits for the result. Rejects with the handler's error, with
     * `queue_full`, with `deadline_exceeded` after the timeout, or with the signal's reason; in the last two cases, the
     * worker is aborted. `rank` and `accountId` become those of the job.
     */
    async call<Task extends keyof Tasks & string>(
      task: Task,
      input: Tasks[Task]['input'],
      { timeoutMs, signal, ...turn }: CallOptions,
    ): Promise<RemoteAnswer<Tasks[Task]['output']>> {
      await admit(turn.accountId);
      const id = newId('rpc');
      let result: CallResult;
      try {
        result = await underDeadline({ timeoutMs, signal, what: 'The work' }, (inTime) => {
          const call: CallInput = { task, input, timeoutMs };
          return callAndWait(id, { ...turn, input: call }, inTime);
        });
      } catch (error) {
        // The caller need not wait for the cleanup.
        leave(id).catch(needs.onError);
        throw error;
      }
      if ('code' in result) throw toError(result);
      if (!result.hasBytes) return { output: result.output };
      const bytes = await blobs.get(blobOf(id));
      blobs.deleteAll(blobOf(id)).catch(needs.onError);
      if (!bytes) throw new Error(`the bytes of ${id} are gone`);
      return { output: result.output, bytes };
    },

    /** Starts to run calls in this process, from whichever process they come. */
    answerCalls(handlers: RemoteHandlers<Tasks>, concurrency: number): void {
      queue.work(remoteCallJob, {
        concurrency,
        maxAttempts,
        run: (id, job) => answer(id, job, handlers as RemoteHandlers<RemoteTasks>),
        giveUp: (id, error) =>
          settle(id, failed(new PackshotError('internal', 'The work failed.', { cause: error }))),
      });
    },

    /** Deletes results that no caller has fetched. */
    async sweepCalls(): Promise<void> {
      await deleteRows(database, 'call_results', (row) => row('created_at', '<', clock() - keptMs));
      for await (const { key, modifiedAt } of blobs.list(blobFolder))
        if (clock() - modifiedAt.getTime() > keptMs) await blobs.deleteAll(key).catch(needs.onError);
    },
  };
}

export type RemoteCalls<Tasks extends RemoteTasks> = ReturnType<typeof createRemoteCalls<Tasks>>;

function failed({ code, message: detail, retryAfterS }: PackshotError): CallResult {
  return { code, detail, retryAfterS };
}

function toError({ code, detail, retryAfterS }: Extract<CallResult, { code: ErrorCode }>): PackshotError {
  return new PackshotError(code, detail, { ...(retryAfterS !== undefined && { retryAfterS }) });
}
