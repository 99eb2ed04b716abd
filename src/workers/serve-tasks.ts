/** The child's side of a worker pool: runs functions on request, and sends their errors to the parent as data. */
import { type ErrorCode, PackshotError } from 'packshot-errors';
import { hideEnvironment } from '../hide-environment.js';

/** Environment variable that holds the child's configuration, including secrets, as JSON. */
export const workerArgument = 'PACKSHOT_WORKER';

/** Task of every child that does nothing, so that its answer tells that the child has loaded. */
export const loadTask = 'load';

// biome-ignore lint/suspicious/noExplicitAny: each pool narrows this to its own tasks.
export type ServedTasks = Record<string, (input: any) => unknown>;

/** Message to the parent. Error classes are lost between processes, so a `PackshotError` is sent as its fields. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly cause: string;
      readonly retryAfterS: number | undefined;
    }
  | { readonly ok: false; readonly message: string };

export interface Report {
  readonly answer: Answer;
  /** Resident memory of the child after the task, in bytes. */
  readonly residentBytes: number;
}

/**
 * Serves the tasks to the parent. Adds a `signal` to each input that is an object. The signal never aborts, because the
 * pool kills the process instead.
 */
export function serveTasks(tasks: ServedTasks): void {
  // The environment holds the configuration, and other child processes of the same user could read it.
  hideEnvironment();
  // Ctrl-C reaches the whole process group, but the parent decides when its children end.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  const served: ServedTasks = { ...tasks, [loadTask]: () => null };
  process.on('message', async ({ task, input }: { task: string; input: unknown }) => {
    const answer = await answerTask(served[task]!, input);
    process.send!({ answer, residentBytes: process.memoryUsage.rss() } satisfies Report);
  });
}

const { signal } = new AbortController();

async function answerTask(task: ServedTasks[string], input: unknown): Promise<Answer> {
  try {
    return { ok: true, value: await task(withSignal(input)) };
  } catch (error) {
    if (error instanceof PackshotError) {
      const { code, message, cause, retryAfterS } = error;
      return { ok: false, code, message, cause: String(cause), retryAfterS };
    }
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function withSignal(input: unknown): unknown {
  const isRecord =
    typeof input === 'object' && input !== null && !Array.isArray(input) && !ArrayBuffer.isView(input);
  return isRecord ? { ...input, signal } : input;
}
