/**
 * Types for functions that run in child processes. A conductor (a function that runs an operation from start to end)
 * calls such a function by its name, with the function's own input and result types, and declares it with `typeof`, so
 * that an editor can jump from the call to the function:
 *
 *     readonly imaging: Tasks<{ drawPicture: typeof drawPicture }>;
 */

/**
 * What a result is for, which decides how urgent the work is. Passed from the route to the process that does the work.
 *
 * An account's work is done in the order upload, preview, generated. After the work of all accounts come better cutouts
 * for full versions that have one (`better`), pictures viewed without a key (`shown`), then prerendering (`ahead`), then
 * batches.
 */
export type Urgency = 'upload' | 'preview' | 'generated' | 'better' | 'shown' | 'ahead' | 'batch';

/** Work with a higher number goes first. Below 1, no caller with a key needs the work. */
export const priorities: Readonly<Record<Urgency, number>> = {
  upload: 3,
  preview: 2,
  generated: 1,
  better: 0.2,
  shown: 0.1,
  ahead: 0,
  batch: -1,
};

/** Whether no caller with a key needs work of this urgency. */
export const isBackground = (urgency: Urgency): boolean => priorities[urgency] < 1;

/** Returns the urgency with the highest priority. Throws for an empty list. */
export function mostUrgent(urgencies: readonly Urgency[]): Urgency {
  return urgencies.reduce((first, other) => (priorities[other] > priorities[first] ? other : first));
}

/** The account of work that no caller ordered: loading the model, and commands of the operator. */
export const operatorAccount = 'operator';

export interface TaskOptions {
  readonly signal: AbortSignal;
  /**
   * A function, if the task may become more urgent while it waits: callers with a higher urgency can join a shared
   * task.
   */
  readonly urgency: Urgency | (() => Urgency);
  /** The account whose share of the processes the task uses, and in whose turn it runs. */
  readonly account: string;
  /** Called when the task stops waiting and runs. */
  readonly onStart?: (() => void) | undefined;
  /**
   * Whether the task takes seconds. One account's long tasks leave a process to its short ones, which go first: the last
   * steps of scenes, plain pictures, looks at a cutout. Of eight scenes in the queue, the first is then ready after an
   * eighth of the total time; otherwise, all eight would be ready only near the end.
   */
  readonly long?: boolean;
}

type TaskFunction = (input: never) => unknown;

/**
 * A function's input without `signal`: the child process supplies one. When the caller's own signal aborts, the process
 * is killed.
 */
type TaskInput<Work extends TaskFunction> = Parameters<Work>[0] extends { readonly signal: AbortSignal }
  ? Omit<Parameters<Work>[0], 'signal'>
  : Parameters<Work>[0];

/** An input, or a function that creates the input for the number of threads that the task may use. */
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
