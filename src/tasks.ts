/**
 * Functions that run in child processes, as conductors call them: by the function's own name, with its own input and
 * result. A conductor names what it calls by `typeof`, so that its type leads to the function itself:
 *
 *     readonly imaging: Tasks<{ drawPicture: typeof drawPicture }>;
 */

/**
 * Who waits for a result. It travels with the request, from the route to the process that does the work.
 *
 * Work of an account is done in the order upload, preview, generated. After the work of all accounts comes what is shown
 * without a key (`shown`), then what is prerendered (`ahead`), then batches.
 */
export type Urgency = 'upload' | 'preview' | 'generated' | 'shown' | 'ahead' | 'batch';

/** Higher goes first; below 1 no caller with a key waits. */
export const priorities: Readonly<Record<Urgency, number>> = {
  upload: 3,
  preview: 2,
  generated: 1,
  shown: 0.1,
  ahead: 0,
  batch: -1,
};

/** Whether nobody with a key waits for it. */
export const isBackground = (urgency: Urgency): boolean => priorities[urgency] < 1;

/** The one that goes first. Throws for an empty list. */
export function mostUrgent(urgencies: readonly Urgency[]): Urgency {
  return urgencies.reduce((first, other) => (priorities[other] > priorities[first] ? other : first));
}

export interface TaskOptions {
  readonly signal: AbortSignal;
  /** A function where it may rise while the task waits: more urgent callers join a shared task. */
  readonly urgency: Urgency | (() => Urgency);
  /** Whose share of the processes it takes; undefined for the service's own work. */
  readonly account: string | undefined;
  /** Takes seconds: of one account such tasks have at most half of the processes, or the only one. */
  readonly long?: boolean;
  /** The last step of a picture goes before the first of the next: of eight previews one is ready after an eighth of the time. */
  readonly lastStep?: boolean;
}

type TaskFunction = (input: never) => unknown;

/** The child process supplies the signal: aborting the caller's ends the process. */
type TaskInput<Work extends TaskFunction> = Parameters<Work>[0] extends { readonly signal: AbortSignal }
  ? Omit<Parameters<Work>[0], 'signal'>
  : Parameters<Work>[0];

/** An input, or what makes it for the number of threads that its task may use. */
export type StartInput<Input> = Input | ((threads: number) => Input);

export function resolveInput<Input extends object | null>(given: StartInput<Input>, threads = 1): Input {
  return typeof given === 'function' ? given(threads) : given;
}

export type Tasks<Functions extends Record<string, TaskFunction>> = {
  /** Rejects with the function's own `PackshotError`, with `queue_full`, or with the signal's reason. */
  readonly [Name in keyof Functions]: (
    input: StartInput<TaskInput<Functions[Name]>>,
    options: TaskOptions,
  ) => Promise<Awaited<ReturnType<Functions[Name]>>>;
};
