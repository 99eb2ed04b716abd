/**
 * One slot of a pool: a child process that does one task at a time, and a new one in its place once it has grown.
 *
 * Allocators and garbage collectors keep most of what the largest picture took, so each child ends up as large as all
 * that it ever drew at once. The new child is started first and takes over between two tasks: nobody waits for it.
 */
import type { ChildProcess } from 'node:child_process';
import type { Pool } from 'workerpool';

export interface WorkerSlotOptions {
  /** A pool of one child, which starts at once or with its first task. */
  readonly openChild: (starts: 'at once' | 'with a task') => Pool;
  readonly starts: 'at once' | 'with a task';
  readonly replaceFrom: GrownChild | undefined;
}

/** From when on a child gives way to a new one: when it has done so many tasks, and is so large after one. */
export interface GrownChild {
  /** A start costs half a second of a core: a picture that is large by nature is not to pay for it each time. */
  readonly tasks: number;
  readonly residentBytes: number;
}

export interface WorkerSlot {
  /** False while its last child is still ending. */
  isIdle(): boolean;
  /** One at a time. `noteTask` is told how large the child was after its task. */
  use<T>(work: (child: Pool, noteTask: (residentBytes: number) => void) => Promise<T>): Promise<T>;
  /** Those that were told to end and are still there. */
  listEnding(): readonly ChildProcess[];
  close(): Promise<void>;
}

/** A process that has not even loaded by then never will. */
const startTimeoutMs = 60_000;

export function openWorkerSlot({ openChild, starts, replaceFrom }: WorkerSlotOptions): WorkerSlot {
  let child = openChild(starts);
  let tasks = 0;
  let busy = false;
  let successor: { readonly pool: Pool; loaded: boolean } | undefined;
  const ending = new Set<Pool>();
  let closed = false;

  /** Nobody waits for it. Told so twice, or when it is dead, the library would never say that it is gone. */
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
        // The old one goes on, and asks for another successor after its next task.
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

  const listChildren = () => [child, ...(successor ? [successor.pool] : []), ...ending];

  return {
    isIdle: () => child.stats().busyWorkers === 0,
    async use(work) {
      busy = true;
      // It was killed while it had nothing to do: no task need pay for that.
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
      }
    },
    listEnding: () =>
      listChildren()
        .map(handleOf)
        .flatMap((handle) => (handle?.cleaning && handle.worker ? [handle.worker] : [])),
    async close() {
      closed = true;
      await Promise.all(
        listChildren()
          .filter(isAlive)
          .map((pool) => pool.terminate(true)),
      );
    },
  };
}

/** What the library knows of its child and shows nowhere else; undefined before the first start. */
function handleOf(pool: Pool): Handle | undefined {
  return (pool as unknown as { readonly workers: readonly Handle[] }).workers[0];
}

const isAlive = (pool: Pool): boolean => handleOf(pool)?.terminated === false;

interface Handle {
  /** Told to end. */
  readonly cleaning: boolean;
  /** Dead. */
  readonly terminated: boolean;
  readonly worker: ChildProcess | null;
}
