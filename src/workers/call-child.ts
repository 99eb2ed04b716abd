/** Calls a task in a child process. */
import { type Pool, Promise as PoolPromise } from 'workerpool';
import { PackshotError } from '../errors.ts';
import type { SchedulingClass } from './scheduling-class.ts';
import type { Answer, Report } from './serve-tasks.ts';

/** The child died or hung; the task may have run in part. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

interface Call {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Milliseconds for which the task may continue after its signal aborts, before the child is killed. */
  readonly graceAfterAbortMs: number;
}

/** Throws `WorkerCrash`, or the signal's reason. */
export async function callChild(
  child: Pool,
  { task, input, signal, timeoutMs, graceAfterAbortMs }: Call,
): Promise<Report> {
  const call = child.exec(task, [input]).timeout(timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  // Canceling kills the child; another one starts for the next task. `void`, because `call.cancel()` rejects: if the
  // listener returned this promise, its rejection would be uncaught.
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
 * How long a task may continue after its caller disconnects. Starting another child takes half a second of CPU:
 * without this grace period, a caller who keeps connecting and disconnecting could keep the cores busy with starts.
 */
const defaultGraceMs = 500;
/** At low priority, both short tasks and restarts may take longer. */
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
