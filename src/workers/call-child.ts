/** One call of a task in a child process. */
import { type Pool, Promise as PoolPromise } from 'workerpool';
import { PackshotError } from '../errors.ts';
import type { Answer, Report } from './serve-tasks.ts';

/** The child died or hung, so it is unknown how far it got. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

interface Call {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether it runs at a low priority of the operating system, and is short. */
  readonly mayOverstay: boolean;
}

/** Throws `WorkerCrash`, or the signal's reason. */
export async function callChild(
  child: Pool,
  { task, input, signal, timeoutMs, mayOverstay }: Call,
): Promise<Report> {
  const call = child.exec(task, [input]).timeout(timeoutMs);
  let overstay: NodeJS.Timeout | undefined;
  // Cancelling kills the child; another one starts for the next task. Nothing is returned: of a listener's
  // promise Node makes an uncaught exception when it rejects, and this one does.
  const cancel = () => {
    overstay = setTimeout(() => void call.cancel(), mayOverstay ? longOverstayMs : usualOverstayMs);
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
    clearTimeout(overstay);
  }
}

/**
 * How long a task whose caller has left may go on. The start of another child costs half a second of a core: a caller who
 * asks and hangs up all the time would otherwise keep the processors busy with starts.
 */
const usualOverstayMs = 500;
/** At a low priority a short task may take that much longer, and a start as well. */
const longOverstayMs = 5_000;

/** The task's result. Throws the task's own error. */
export function readAnswer(task: string, answer: Answer): unknown {
  if (answer.ok) return answer.value;
  if ('code' in answer) {
    const { code, message, cause, retryAfterS } = answer;
    throw new PackshotError(code, message, { cause, ...(retryAfterS !== undefined && { retryAfterS }) });
  }
  throw new Error(`${task} failed in its process: ${answer.message}`);
}
