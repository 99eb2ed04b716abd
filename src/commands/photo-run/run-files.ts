/** Processes files concurrently. Continues if one file fails; stops at a failure that would affect every file. */
import { constants } from 'node:os';
import PQueue from 'p-queue';
import { PackshotError } from 'packshot-errors';
import { PackshotError as ServiceError } from '../../../clients/typescript/src/packshot-client.ts';
import { listenForStops } from '../shared/stop-signals.ts';

export interface Failure {
  readonly code: string;
  /** Message for the person who ran the command. */
  readonly detail: string;
}

export interface RunResult {
  /** The error that ended the run early, if any; an interrupt is not an error. */
  readonly stoppedBy: Failure | undefined;
  /** Number of files that are neither done nor failed. */
  readonly left: number;
}

interface Run<T> {
  readonly concurrency: number;
  readonly interrupts: Interrupts;
  readonly work: (item: T, signal: AbortSignal) => Promise<void>;
  readonly onFailure: (item: T, failure: Failure) => void;
}

/** Transient failures of the service, the network or the disk. */
export const passing: ReadonlySet<string> = new Set([
  'rate_limited',
  'queue_full',
  'not_ready',
  'network_error',
  'unexpected_answer',
  'storage_full',
  'storage_unavailable',
]);

/**
 * Errors that would affect every file. Transient ones are among them, because a service's client has already retried
 * several times.
 */
const hopeless: ReadonlySet<string> = new Set([
  ...passing,
  'invalid_api_key',
  'expired_api_key',
  'scope_denied',
  'insufficient_credits',
  'unknown_preset',
  'preset_not_allowed',
]);

/** Files that arrive during the run; `ending` aborts when no more files should be started. */
export type Arrivals<T> = (ending: AbortSignal) => AsyncIterable<T>;

export async function runFiles<T>(items: readonly T[] | Arrivals<T>, run: Run<T>): Promise<RunResult> {
  const { stopping, aborting } = run.interrupts;
  const queue = new PQueue({ concurrency: run.concurrency });
  const ending = new AbortController();
  let left = 0;
  let stoppedBy: Failure | undefined;
  const stop = () => {
    ending.abort();
    queue.clear();
  };
  const start = (item: T) => {
    left++;
    void queue.add(async () => {
      try {
        await run.work(item, aborting);
        left--;
      } catch (error) {
        if (aborting.aborted) return;
        const failure = explainFailure(error);
        if (hopeless.has(failure.code)) {
          stoppedBy ??= failure;
          stop();
          return;
        }
        left--;
        run.onFailure(item, failure);
      }
    });
  };
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  if (typeof items === 'function') for await (const item of items(ending.signal)) start(item);
  else items.forEach(start);
  if (ending.signal.aborted) queue.clear();
  await queue.onIdle();
  stopping.removeEventListener('abort', stop);
  return { stoppedBy, left };
}

export function explainFailure(error: unknown): Failure {
  if (error instanceof PackshotError || error instanceof ServiceError) {
    return { code: error.code, detail: error.message };
  }
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) };
}

export type Interrupts = ReturnType<typeof listenForInterrupts>;

export function listenForInterrupts(
  tell: (line: string) => void,
  words = 'Finishing the photos in progress. Press Ctrl-C again to stop immediately.',
) {
  const stopping = new AbortController();
  const aborting = new AbortController();
  let exitCode: number | undefined;
  const onStop = (code: number) => {
    if (stopping.signal.aborted) {
      aborting.abort(new Error('stopped'));
      return;
    }
    exitCode = code;
    stopping.abort();
    tell(words);
  };
  const ignoreSignals = listenForStops((signal) => onStop(128 + constants.signals[signal]));
  // If the reader of standard output closes the pipe, as `head` does, the command stops as after Ctrl-C, but with the
  // exit code of SIGPIPE.
  const onGone = () => onStop(128 + constants.signals.SIGPIPE);
  process.stdout.on('error', onGone);
  return {
    /** Aborted by the first Ctrl-C: running files finish, no new ones start. */
    stopping: stopping.signal,
    /** Aborted by the second Ctrl-C: running files are interrupted, too. */
    aborting: aborting.signal,
    /** 128 plus the signal's number, as in shells; undefined without a signal. */
    exitCode: () => exitCode,
    /** Restores the default handling of signals. */
    close(): void {
      ignoreSignals();
      // A failed write emits its error only on the next tick.
      setImmediate(() => process.stdout.off('error', onGone));
    },
  };
}
