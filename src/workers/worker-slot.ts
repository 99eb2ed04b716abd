/**
 * One slot of a pool: a child process that runs one task at a time. Once it has grown, a new process replaces it; once
 * it has been idle for a while, it ends.
 *
 * Allocators and garbage collectors keep most of the memory that the largest picture needed, so every child grows to
 * its peak and stays there. The new child is started first and takes over between two tasks, so no task has to wait.
 */
import type { Call, Child } from './child.ts';
import { type Answer, loadTask } from './serve-tasks.ts';

export interface WorkerSlotOptions {
  readonly start: () => Child;
  /** Whether the first child starts at once, instead of with the first task. */
  readonly startsAtOnce: boolean;
  readonly replaceFrom: GrownChild | undefined;
  /**
   * How long a child must have been idle before it ends; undefined: it never ends. If the slot's first child was
   * started at once, a new child takes over before the idle one ends. Otherwise, the slot has no child until its next
   * task.
   */
  readonly restAfter: RestPauses | undefined;
  /** Called when an idle child ends without a successor, so that the slot's next task has to start a child. */
  readonly onEnded: () => void;
}

/**
 * How long a child must be idle before it ends, in milliseconds: `callMs` since its last task that a caller waited for,
 * and also `backgroundMs` since its last background task.
 */
export interface RestPauses {
  readonly callMs: number;
  readonly backgroundMs: number;
}

/** A child is replaced once it is at least this large after a task, and has run at least this many tasks by then. */
export interface GrownChild {
  /**
   * Minimum number of tasks. Starting a child takes half a second of CPU time, so a series of large pictures must not
   * cause a start for each.
   */
  readonly tasks: number;
  readonly residentBytes: number;
}

export interface WorkerSlot {
  /** Runs one task. Wait for the end of one call before the next. Throws like `Child.call`. */
  call(call: Call, isBackground: boolean): Promise<Answer>;
  close(): Promise<void>;
}

/** A process that has not loaded within this time is considered hung. */
const startTimeoutMs = 60_000;

export function openWorkerSlot({
  start,
  startsAtOnce,
  replaceFrom,
  restAfter,
  onEnded,
}: WorkerSlotOptions): WorkerSlot {
  let child = startsAtOnce ? start() : undefined;
  let tasks = 0;
  let busy = false;
  let successor: { readonly child: Child; loaded: boolean } | undefined;
  let restTimer: NodeJS.Timeout | undefined;
  let restAt = Number.NEGATIVE_INFINITY;
  const closing = new AbortController();

  function replace(next: Child | undefined): void {
    void child?.end();
    child = next;
    tasks = 0;
  }

  async function startSuccessor(): Promise<void> {
    if (successor || closing.signal.aborted) return;
    const load = { task: loadTask, input: null, timeoutMs: startTimeoutMs, graceAfterAbortMs: 0 };
    try {
      const next = { child: start(), loaded: false };
      successor = next;
      await next.child.call({ ...load, signal: closing.signal });
      next.loaded = true;
      takeOver();
    } catch {
      // The successor did not start or load. The old child continues, and a later task or pause may start another successor.
      successor = undefined;
    }
  }

  function takeOver(): void {
    if (!successor?.loaded || busy || closing.signal.aborted) return;
    replace(successor.child);
    successor = undefined;
  }

  function rest(): void {
    if (busy || closing.signal.aborted || successor) return;
    if (startsAtOnce) {
      void startSuccessor();
      return;
    }
    replace(undefined);
    onEnded();
  }

  function restLater(isBackground: boolean): void {
    if (!restAfter || closing.signal.aborted) return;
    const now = performance.now();
    restAt = Math.max(restAt, now + (isBackground ? restAfter.backgroundMs : restAfter.callMs));
    restTimer = setTimeout(rest, restAt - now).unref();
  }

  return {
    async call(call, isBackground) {
      busy = true;
      clearTimeout(restTimer);
      try {
        // The child may have been killed while idle.
        if (!child || child.hasExited()) replace(start());
        const { answer, residentBytes } = await child!.call(call);
        tasks++;
        const { tasks: fewest, residentBytes: smallest } = replaceFrom ?? never;
        if (tasks >= fewest && residentBytes >= smallest) void startSuccessor();
        return answer;
      } finally {
        busy = false;
        takeOver();
        restLater(isBackground);
      }
    },
    async close() {
      closing.abort();
      clearTimeout(restTimer);
      await Promise.all([child?.end(), successor?.child.end()]);
    },
  };
}

const never: GrownChild = { tasks: Number.POSITIVE_INFINITY, residentBytes: Number.POSITIVE_INFINITY };
