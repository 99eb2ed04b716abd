/**
 * One slot of a pool: a child process that runs one task at a time. Once it has grown, a new process replaces it; once
 * it has been idle for a while, it ends.
 *
 * Allocators and garbage collectors keep most of the memory that the largest picture needed, so every child grows to
 * its peak and stays there. The new child is started first and takes over between two tasks, so no task has to wait.
 */
import type { ChildProcess } from 'node:child_process';
import type { Pool } from 'workerpool';

export interface WorkerSlotOptions {
  /** Opens a pool of one child, which starts at once or with its first task. */
  readonly openChild: (starts: 'at once' | 'with a task') => Pool;
  readonly starts: 'at once' | 'with a task';
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
  /** False while the slot's child runs a task, or is still ending after an abort or a timeout. */
  isIdle(): boolean;
  /**
   * Lends the child to `work`, which runs one task in it and then calls `noteTask` with the child's resident bytes. The
   * caller must wait for the end of one call before the next.
   */
  use<T>(
    work: (child: Pool, noteTask: (residentBytes: number) => void) => Promise<T>,
    isBackground: boolean,
  ): Promise<T>;
  /** Children that were asked to exit and are still running. */
  listEnding(): readonly ChildProcess[];
  close(): Promise<void>;
}

/** A process that has not loaded within this time is considered hung. */
const startTimeoutMs = 60_000;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function openWorkerSlot({
  openChild,
  starts,
  replaceFrom,
  restAfter,
  onEnded,
}: WorkerSlotOptions): WorkerSlot {
  let child = openChild(starts);
  let tasks = 0;
  let busy = false;
  let successor: { readonly pool: Pool; loaded: boolean } | undefined;
  let restTimer: NodeJS.Timeout | undefined;
  let restAt = Number.NEGATIVE_INFINITY;
  const ending = new Set<Pool>();
  let closed = false;

  /**
   * Does not wait until the child has exited. Skips a child that has not started or has already exited. For an exited
   * child, the promise of `terminate` would never settle.
   */
  function end(pool: Pool): void {
    if (closed || !isAlive(pool)) return;
    ending.add(pool);
    const forget = () => void ending.delete(pool);
    pool.terminate(true).then(forget, forget);
  }

  function startSuccessor(): void {
    if (successor || closed) return;
    const next = { pool: openChild('at once'), loaded: false };
    successor = next;
    next.pool
      .exec('methods', [])
      .timeout(startTimeoutMs)
      .then(
        () => {
          next.loaded = true;
          takeOver();
        },
        // The successor did not load. The old child continues, and a later task or pause may start another successor.
        () => {
          successor = undefined;
          end(next.pool);
        },
      );
  }

  function takeOver(): void {
    if (!successor?.loaded || busy || closed) return;
    const old = child;
    child = successor.pool;
    tasks = 0;
    successor = undefined;
    end(old);
  }

  function rest(): void {
    if (busy || closed || successor) return;
    if (starts === 'at once') {
      startSuccessor();
      return;
    }
    const old = child;
    child = openChild('with a task');
    tasks = 0;
    end(old);
    onEnded();
  }

  function restLater(isBackground: boolean): void {
    if (!restAfter || closed) return;
    const now = performance.now();
    restAt = Math.max(restAt, now + (isBackground ? restAfter.backgroundMs : restAfter.callMs));
    restTimer = setTimeout(rest, restAt - now).unref();
  }

  const listChildren = () => [child, ...(successor ? [successor.pool] : []), ...ending];

  return {
    isIdle: () => child.stats().busyWorkers === 0,
    async use(work, isBackground) {
      busy = true;
      clearTimeout(restTimer);
      // The child was killed while idle: start another one, so that this task does not fail.
      if (handleOf(child)?.terminated) {
        child = openChild('with a task');
        tasks = 0;
      }
      try {
        return await work(child, (residentBytes) => {
          tasks++;
          if (replaceFrom && tasks >= replaceFrom.tasks && residentBytes >= replaceFrom.residentBytes)
            startSuccessor();
        });
      } finally {
        busy = false;
        takeOver();
        restLater(isBackground);
      }
    },
    listEnding: () =>
      listChildren()
        .map(handleOf)
        .flatMap((handle) => (handle?.cleaning && handle.worker ? [handle.worker] : [])),
    async close() {
      closed = true;
      clearTimeout(restTimer);
      await Promise.all(
        listChildren()
          .filter(isAlive)
          .map((pool) => pool.terminate(true)),
      );
    },
  };
}

/** The library's private handle of the pool's child; undefined before the child's first start. */
function handleOf(pool: Pool): Handle | undefined {
  return (pool as unknown as { readonly workers: readonly Handle[] }).workers[0];
}

const isAlive = (pool: Pool): boolean => handleOf(pool)?.terminated === false;

interface Handle {
  /** Whether the child was asked to exit. */
  readonly cleaning: boolean;
  /** Whether the child has exited. */
  readonly terminated: boolean;
  readonly worker: ChildProcess | null;
}
