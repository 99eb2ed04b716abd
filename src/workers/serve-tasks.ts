/** The child's side of a worker pool: offers functions, and sends errors across as data. */
import { worker } from 'workerpool';
import { type ErrorCode, PackshotError } from '../errors.ts';
import { hideEnvironment } from '../hide-environment.js';

/** Variable of the child's environment that holds its configuration, secrets included, as JSON. */
export const workerArgument = 'PACKSHOT_WORKER';

// biome-ignore lint/suspicious/noExplicitAny: each pool narrows this to its own tasks.
export type ServedTasks = Record<string, (input: any) => unknown>;

/** What crosses the process boundary. Error classes do not, so a `PackshotError` goes as its parts. */
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
  /** Of the child, after its task. */
  readonly residentBytes: number;
}

/** Each task gets its input with a `signal` that never aborts: the pool ends the process where the caller's signal aborts. */
export function serveTasks(tasks: ServedTasks): void {
  // The configuration came in it, and other child processes run as the same user and could read it.
  hideEnvironment();
  // Ctrl-C reaches the whole process group; the parent decides when its children end. SIGTERM stays deadly: the
  // pool kills a hung child with it.
  process.on('SIGINT', () => undefined);
  worker(
    Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        async (input: unknown): Promise<Report> => ({
          answer: await answerTask(task, input),
          residentBytes: process.memoryUsage.rss(),
        }),
      ]),
    ),
  );
}

const { signal } = new AbortController();

export async function answerTask(task: ServedTasks[string], input: unknown): Promise<Answer> {
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
