/** Calls a task in a child process. */
import { type Pool, Promise as PoolPromise } from 'workerpool';
import { PackshotError } from '../errors.ts';
import type { SchedulingClass } from './scheduling-class.ts';
import type { Answer, Report } from './serve-tasks.ts';

/** The child died or hung; part of the task may have been done. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

interface Call {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How long the task may continue after its signal aborts, in milliseconds, before the child is killed. */
  readonly graceAfterAbortMs: number;
}

/** Throws `WorkerCrash`, or rejects with the signal's reason. */
export async function callChild(
  child: Pool,
  { task, input, signal, timeoutMs, graceAfterAbortMs }: Call,
): Promise<Report> {
  const call = child.exec(task, [input]).timeout(timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  // Canceling kills the child; the pool starts another for the next task. The promise of `call.cancel()` rejects. The
  // abort listener must not return that promise: Node would throw the rejection as an uncaught exception.
  const cancel = () => {
    grace = setTimeout(() => void call.cancel(), graceAfterAbortMs);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await call;
  } catch (error) {
    signal.throwIfAborted();
    const hung = error instanceof PoolPromise.TimeoutError;
    throw new WorkerCrash(hung ? `${task} hung and was stopped` : `${task} ended its process`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(grace);
  }
}

/**
 * Grace period in milliseconds for a task whose caller disconnects. Starting another child takes half a second of CPU:
 * without this period, a caller who keeps connecting and disconnecting could keep the cores busy.
 */
const defaultGraceMs = 500;
/** Longer at low priority, where both short tasks and restarts take longer. */
const lowPriorityGraceMs = 5_000;

interface Conditions {
  readonly runsAt: SchedulingClass;
  readonly isLong: boolean;
}

export const graceAfterAbort = ({ runsAt, isLong }: Conditions): number =>
  runsAt === 'low' && !isLong ? lowPriorityGraceMs : defaultGraceMs;

/** Returns the task's result, or throws the task's own error. */
export function readAnswer(task: string, answer: Answer): unknown {
  if (answer.ok) return answer.value;
  if ('code' in answer) {
    const { code, message, cause, retryAfterS } = answer;
    throw new PackshotError(code, message, { cause, ...(retryAfterS !== undefined && { retryAfterS }) });
  }
  throw new Error(`${task} failed in its process: ${answer.message}`);
}
