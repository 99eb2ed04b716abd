/**
 * A pool of child processes for work that blocks, crashes or hangs: decoding, inference, rendering.
 *
 * Uses processes instead of threads, because native code cannot be canceled, and ending a thread that runs it can crash
 * the whole process. Killing a child takes milliseconds and affects nothing else. Each child runs one task at a time.
 * Other tasks wait here and the accounts take turns (`fair-semaphore`); an account that already has `maxWaiting`
 * waiting tasks gets `queue_full` for its next one.
 */
import { availableParallelism } from 'node:os';
import { isStopping, PackshotError } from 'packshot-errors';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { isBackground, priorities, type TaskOptions, type Tasks, type Urgency } from '../tasks.ts';
import { type ChildOptions, readAnswer, startChild, WorkerCrash } from './child.ts';
import { type ClassClaim, createClassChooser, type SchedulingClass } from './scheduling-class.ts';
import type { ServedTasks } from './serve-tasks.ts';
import { type GrownChild, openWorkerSlot, type RestPauses, type WorkerSlot } from './worker-slot.ts';

export interface WorkerPoolOptions<T extends ServedTasks = ServedTasks>
  extends Pick<ChildOptions, 'script' | 'argument'> {
  /** Number of processes, not counting spare ones; also the maximum that one account may keep busy with long tasks. */
  readonly size: number;
  /**
   * Number of extra tasks that may run at once; default 0. If there are any, there are processes of the usual and of a low
   * operating-system priority, and a task's class (`scheduling-class`) decides which kind the task gets if both are free.
   */
  readonly spare?: number;
  /** Maximum waiting tasks per account. The maximum for all accounts together is `accountsInLine` times as many. */
  readonly maxWaiting: number;
  /** A task that runs longer is considered hung, and its child is killed. */
  readonly taskTimeoutMs: number;
  /**
   * Whether a task runs to its end if its caller leaves, and its result is dropped. By default, its child is killed soon.
   * For children that take long to start.
   */
  readonly finishesBegun?: boolean;
  /** How often a task is retried in another child after its child died or hung. */
  readonly retriesAfterCrash: number;
  /** Tasks that decode a caller's file. If every attempt ends in a crash, the call rejects with `image_undecodable`. */
  readonly decoding?: readonly (keyof T & string)[];
  /** When a child is replaced; default: never. */
  readonly replaceFrom?: GrownChild;
  /** How long a child must have been idle before its memory is freed; default: it is kept. */
  readonly restAfter?: RestPauses;
}

/** How many accounts may fill their line at once. The limit only protects memory: each waiting task holds its input. */
const accountsInLine = 8;

/** State of a pool, for monitoring. */
export interface PoolState {
  /** Number of processes, not counting spare ones. `busy` also counts spare processes. */
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
  /** Number of children that died or hung since the pool was opened. */
  readonly crashes: number;
  /** Consecutive crashes since the last completed task. */
  readonly crashesInARow: number;
  /** Milliseconds since the last crash; Infinity if there was none. */
  readonly sinceCrashMs: number;
}

export interface WorkerPool<T extends ServedTasks> {
  state(): PoolState;
  /** Calls reject with the tasks' own errors, `queue_full`, `WorkerCrash`, or the signal's reason. */
  readonly tasks: Tasks<T>;
  close(): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function openWorkerPool<T extends ServedTasks>(options: WorkerPoolOptions<T>): WorkerPool<T> {
  const { size, spare = 0, taskTimeoutMs, finishesBegun = false } = options;
  // Of the spare processes, one account's short tasks get all but one, so that other accounts always have one.
  const mostOwn = size + Math.max(0, spare - 1);
  // There are more processes than places, so that all tasks of an account that is alone find one of the usual priority.
  const classed = Array.from({ length: mostOwn + (spare === 0 ? 0 : size) }, (_, index): ClassedSlot => {
    const runsAt: SchedulingClass = index < mostOwn ? 'normal' : 'low';
    const one: ClassedSlot = {
      runsAt,
      slot: openWorkerSlot({
        start: () => startChild({ ...options, runsAt }),
        // The other children start with their first task, because an idle child takes 60 MB.
        startsAtOnce: index === 0,
        replaceFrom: options.replaceFrom,
        restAfter: options.restAfter,
        onEnded: () => takeLast(one),
      }),
    };
    return one;
  });
  /** The slot released last is taken first, because its child is warm or new; slots whose child has ended come last. */
  const free = classed.toReversed();
  const places = createFairSemaphore({
    places: size + spare,
    maxPerAccount: mostOwn,
    maxLongPerAccount: size,
    maxBeyondFirst: mostOwn - 1,
  });
  const classes = createClassChooser(() => performance.now());

  const crashes = { all: 0, inARow: 0, lastAt: Number.NEGATIVE_INFINITY };
  const noteCrash = () => {
    crashes.all++;
    crashes.inARow++;
    crashes.lastAt = performance.now();
  };

  function takeLast(one: ClassedSlot): void {
    const at = free.indexOf(one);
    if (at !== -1) free.unshift(...free.splice(at, 1));
  }

  /** The caller must hold one of the `places`. There are no more places than slots, so a slot is then free. */
  function takeSlot(wanted: SchedulingClass): ClassedSlot {
    // Without a fitting slot, this is -1, and the slot released last is taken.
    const fitting = free.findLastIndex(({ runsAt }) => runsAt === wanted);
    return free.splice(fitting, 1)[0]!;
  }

  async function runInChild(task: string, given: unknown, options: TaskOptions): Promise<unknown> {
    const { signal, long: isLong = false } = options;
    signal.throwIfAborted();
    const input = typeof given === 'function' ? given(countThreads(options)) : given;
    const taken = takeSlot(classes.choose(claimOf(options)));
    options.onStart?.();
    try {
      const graceAfterAbortMs = finishesBegun ? taskTimeoutMs : graceAfterAbort(taken.runsAt, isLong);
      const call = { task, input, signal, graceAfterAbortMs, timeoutMs: taskTimeoutMs };
      const answer = await taken.slot.call(call, isBackground(urgencyOf(options)));
      crashes.inARow = 0;
      return readAnswer(task, answer);
    } catch (error) {
      if (error instanceof WorkerCrash) noteCrash();
      throw error;
    } finally {
      free.push(taken);
    }
  }

  const closing = new AbortController();
  const aheadTasks = new Map<AbortController, () => Urgency>();

  /** Stops tasks that are drawn ahead if they keep a caller's task waiting; at low priority, they may take minutes. */
  function makeRoom(options: TaskOptions): void {
    if (isBackground(urgencyOf(options)) || !places.isFull(options)) return;
    for (const [stop, findUrgency] of aheadTasks) if (findUrgency() === 'ahead') stop.abort(needed());
  }

  async function takeTurn(task: string, input: unknown, options: TaskOptions): Promise<unknown> {
    makeRoom(options);
    if (urgencyOf(options) !== 'ahead') return takeOwnTurn(task, input, options);
    const stop = new AbortController();
    aheadTasks.set(stop, () => urgencyOf(options));
    try {
      const signal = AbortSignal.any([options.signal, stop.signal]);
      return await takeOwnTurn(task, input, { ...options, signal });
    } finally {
      aheadTasks.delete(stop);
    }
  }

  async function takeOwnTurn(task: string, input: unknown, options: TaskOptions): Promise<unknown> {
    const { signal } = options;
    const leave = await places.enter({ ...options, priority: () => priorityOf(options) });
    // On abort, the caller gets its error at once, but the place stays held until the task ends or, after a grace
    // period, the pool starts to end its child.
    const work = runInChild(task, input, options).finally(leave);
    const { promise: abandoned, reject } = Promise.withResolvers<never>();
    const abandon = () => reject(closing.signal.aborted ? closing.signal.reason : signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    closing.signal.addEventListener('abort', abandon, { once: true });
    try {
      return await Promise.race([work, abandoned]);
    } finally {
      signal.removeEventListener('abort', abandon);
      closing.signal.removeEventListener('abort', abandon);
    }
  }

  function admit({ account, long = false }: TaskOptions): void {
    const line = options.maxWaiting * accountsInLine;
    const isFull = places.countWaiting(account) >= options.maxWaiting || places.state().waiting >= line;
    if (!isFull || !places.isFull({ account, long })) return;
    throw new PackshotError('queue_full', 'Too much work is waiting; try again in a moment.', {
      retryAfterS: places.estimateWaitS(),
    });
  }

  /** Runs the task, and again after a crash, up to `retriesAfterCrash` times. */
  async function runAgain(task: string, input: unknown, taskOptions: TaskOptions): Promise<unknown> {
    for (let crashes = 0; ; crashes++) {
      try {
        return await takeTurn(task, input, taskOptions);
      } catch (error) {
        if (!(error instanceof WorkerCrash) || crashes === options.retriesAfterCrash) throw error;
      }
    }
  }

  async function run(task: string, input: unknown, taskOptions: TaskOptions): Promise<unknown> {
    admit(taskOptions);
    const end = classes.begin(claimOf(taskOptions));
    try {
      return await runAgain(task, input, taskOptions);
    } catch (error) {
      throw error instanceof WorkerCrash && options.decoding?.includes(task) ? blameFile(error) : error;
    } finally {
      end();
    }
  }

  /**
   * A task that runs alone gets one thread per core, up to `maxThreads`. Concurrent tasks share the cores; with one
   * thread each, they take 1/8 less CPU time in total. Prerendering gets one thread, so that other cores stay free for
   * callers. `held` is the number of running tasks, including the given one.
   */
  function countThreads(options: TaskOptions): number {
    if (urgencyOf(options) === 'ahead') return 1;
    const { held } = places.state();
    return Math.max(1, Math.min(maxThreads, Math.floor(availableParallelism() / Math.max(1, held))));
  }

  return {
    state: () => ({
      size,
      busy: places.state().held,
      waiting: places.state().waiting,
      crashes: crashes.all,
      crashesInARow: crashes.inARow,
      sinceCrashMs: performance.now() - crashes.lastAt,
    }),
    tasks: callByName(run),
    async close() {
      closing.abort(isStopping());
      places.refuseWaiting(closing.signal.reason);
      await Promise.all(classed.map(({ slot }) => slot.close()));
    },
  };
}

const needed = () => new PackshotError('queue_full', 'A caller needs the process.', { retryAfterS: 1 });

type Run = (task: string, input: unknown, options: TaskOptions) => Promise<unknown>;

/** At run time, the pool does not know the names of its tasks; the child rejects unknown names. */
function callByName<T extends ServedTasks>(run: Run): Tasks<T> {
  return new Proxy({} as Tasks<T>, {
    get: (_, task) => (input: unknown, options: TaskOptions) => run(String(task), input, options),
  });
}

const urgencyOf = ({ urgency }: TaskOptions) => (typeof urgency === 'function' ? urgency() : urgency);
/** Smaller than the difference between any two priorities. */
const shortBonus = 0.5;
const priorityOf = (options: TaskOptions): number =>
  priorities[urgencyOf(options)] + (options.long ? 0 : shortBonus);
const claimOf = (options: TaskOptions): ClassClaim => ({
  account: options.account,
  isBackground: isBackground(urgencyOf(options)),
  ...(options.long && { long: true }),
});

/** Maximum threads of one task. More threads would only wait for each other. */
const maxThreads = 4;

function blameFile(cause: WorkerCrash): PackshotError {
  return new PackshotError(
    'image_undecodable',
    'The photo cannot be decoded here; save it again as JPEG or PNG.',
    { cause },
  );
}

interface ClassedSlot {
  readonly slot: WorkerSlot;
  readonly runsAt: SchedulingClass;
}

/**
 * Grace period in milliseconds for a task whose caller disconnects. Starting another child takes half a second of CPU:
 * without this period, a caller who keeps connecting and disconnecting could keep the cores busy. Longer at low
 * priority, where both short tasks and restarts take longer.
 */
const graceAfterAbort = (runsAt: SchedulingClass, isLong: boolean): number =>
  runsAt === 'low' && !isLong ? 5_000 : 500;
