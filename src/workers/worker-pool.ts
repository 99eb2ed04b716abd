/**
 * A pool of child processes for work that blocks, crashes or hangs: decoding, inference, rendering.
 *
 * A process and not a thread, because native code can neither be cancelled nor survive the end of its thread; a
 * child is killed in milliseconds and takes nothing with it. Each child does one task at a time. Other tasks wait here and
 * the accounts take turns (`fair-semaphore`); an account with `maxWaiting` tasks in line gets `queue_full` for the next one.
 */
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { PackshotError } from '../errors.ts';
import { createFairSemaphore, type Leave } from '../fair-semaphore.ts';
import { isBackground, priorities, type TaskOptions, type Tasks } from '../tasks.ts';
import { callChild, readAnswer, WorkerCrash } from './call-child.ts';
import { type ClassClaim, createClassChooser, type SchedulingClass } from './scheduling-class.ts';
import type { ServedTasks } from './serve-tasks.ts';
import { startChild } from './start-child.ts';
import { type GrownChild, openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

export interface WorkerPoolOptions<T extends ServedTasks = ServedTasks> {
  /** The child's entry file, which calls `serveTasks`. */
  readonly script: URL;
  /** Handed to the child as JSON in its environment: unlike an argument, only its own user can read it there. */
  readonly argument: unknown;
  /** Processes that one account may keep busy. */
  readonly size: number;
  /**
   * Further ones, none where left out. Then all but these run at a low priority of the operating system, and a task's class
   * (`scheduling-class`) says which it gets where both are free.
   */
  readonly spare?: number;
  /** Tasks of one account; of all together, `accountsInLine` times as many. */
  readonly maxWaiting: number;
  /** A task that runs longer is taken for hung: its child is killed. */
  readonly taskTimeoutMs: number;
  /** How often a task whose child died is given to another one. */
  readonly retriesAfterCrash: number;
  /** Tasks that decode a caller's file: if their child dies every time, they throw `image_undecodable` for the file. */
  readonly decoding?: readonly (keyof T & string)[];
  /** Never where left out. */
  readonly replaceFrom?: GrownChild;
}

/** How many accounts may fill their line at once. A bound for memory alone: each waiting task holds its input. */
const accountsInLine = 8;

/** How a pool is doing, for whoever watches. */
export interface PoolState {
  /** Without the spare ones, which may be busy as well. */
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
  /** Children that died or hung, since the start. */
  readonly crashes: number;
  /** Of these, the last ones, with no task done between or after. */
  readonly crashesInARow: number;
  /** Milliseconds since the last of them; Infinity without one. */
  readonly sinceCrashMs: number;
}

export interface WorkerPool<T extends ServedTasks> {
  state(): PoolState;
  /** Its functions. Besides their own errors they reject with `queue_full`, `WorkerCrash`, or the signal's reason. */
  readonly tasks: Tasks<T>;
  close(): Promise<void>;
}

export function openWorkerPool<T extends ServedTasks>(options: WorkerPoolOptions<T>): WorkerPool<T> {
  const { size, spare = 0, taskTimeoutMs } = options;
  const classed = Array.from({ length: size + spare }, (_, index): ClassedSlot => {
    const runsAt: SchedulingClass = index < spare || spare === 0 ? 'normal' : 'low';
    return {
      runsAt,
      slot: openWorkerSlot({
        openChild: (starts) => startChild({ ...options, runsAt, starts }),
        // The others start when there is work for them: an idle child costs 60 MB.
        starts: index === 0 ? 'at once' : 'with a task',
        replaceFrom: options.replaceFrom,
      }),
    };
  });
  const slots = classed.map(({ slot }) => slot);
  /** The one that was left last is taken first: its child is warm, or new. */
  const free = classed.toReversed();
  const places = createFairSemaphore({
    places: size + spare,
    mostPerAccount: size,
    mostLongPerAccount: Math.max(1, Math.floor(size / 2)),
    // The rest are for accounts that have none.
    mostFurther: size - 1,
  });
  const classes = createClassChooser(() => performance.now());
  const overdue = watchOverdue(slots);

  const crashes = { all: 0, inARow: 0, lastAt: Number.NEGATIVE_INFINITY };
  const noteCrash = () => {
    crashes.all++;
    crashes.inARow++;
    crashes.lastAt = performance.now();
  };

  /** The caller holds a place, so one is free. */
  function takeSlot(wanted: SchedulingClass) {
    const last = (fits: (taken: ClassedSlot) => boolean) => free.findLastIndex(fits);
    const idle = last(({ slot, runsAt }) => runsAt === wanted && slot.isIdle());
    // Of one that is not idle the new child comes once the old one has ended: a task of low priority waits for that.
    const ending = wanted === 'low' ? last(({ runsAt }) => runsAt === 'low') : -1;
    const other = last(({ slot }) => slot.isIdle());
    const [taken] = free.splice([idle, ending, other].find((index) => index !== -1) ?? -1, 1);
    if (!taken) throw new Error('a task was started without a free process');
    return taken;
  }

  async function runInChild(task: string, given: unknown, options: TaskOptions): Promise<unknown> {
    const { signal, account } = options;
    signal.throwIfAborted();
    const input = typeof given === 'function' ? given(countThreads(options)) : given;
    const taken = takeSlot(classes.choose(claimOf(options), places.countHeld(account)));
    try {
      const answer = await taken.slot.use(async (child, noteTask) => {
        const mayOverstay = taken.runsAt === 'low' && !options.long;
        const report = await callChild(child, { task, input, signal, mayOverstay, timeoutMs: taskTimeoutMs });
        noteTask(report.residentBytes);
        return report.answer;
      });
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

  async function takeTurn(task: string, input: unknown, options: TaskOptions): Promise<unknown> {
    const { signal } = options;
    const leave = await places.enter({ ...options, priority: () => priorityOf(options) });
    // The place stays held while a killed child is ending, although its caller is answered at once.
    const work = runAndLeave(task, input, options, leave);
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

  async function runAndLeave(
    task: string,
    input: unknown,
    options: TaskOptions,
    leave: Leave,
  ): Promise<unknown> {
    try {
      return await runInChild(task, input, options);
    } finally {
      leave();
    }
  }

  function admit({ account, long = false }: TaskOptions): void {
    const line = options.maxWaiting * accountsInLine;
    const isFull = places.countWaiting(account) >= options.maxWaiting || places.state().waiting >= line;
    if (!isFull || !places.isFull({ account, long })) return;
    throw new PackshotError('queue_full', 'Too much work is waiting; try again in a moment.', {
      retryAfterS: 5,
    });
  }

  /** Once more after each crash, as often as the options say. */
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
   * A task that runs alone has all cores; many at once have one each, which costs an eighth less in all. What is prerendered
   * leaves the other cores to callers. The task itself is counted as busy already.
   */
  function countThreads(options: TaskOptions): number {
    if (urgencyOf(options) === 'ahead') return 1;
    const { held } = places.state();
    return Math.max(1, Math.min(mostThreads, Math.floor(availableParallelism() / Math.max(1, held))));
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
      closing.abort(new PackshotError('not_ready', 'The service is stopping.', { retryAfterS: 5 }));
      places.refuseWaiting(closing.signal.reason);
      await Promise.all(slots.map((slot) => slot.close()));
      clearInterval(overdue);
    },
  };
}

type Run = (task: string, input: unknown, options: TaskOptions) => Promise<unknown>;

/** A pool knows its tasks by type only; the child refuses a name that it does not serve. */
function callByName<T extends ServedTasks>(run: Run): Tasks<T> {
  return new Proxy({} as Tasks<T>, {
    get: (_, task) => (input: unknown, options: TaskOptions) => run(String(task), input, options),
  });
}

const urgencyOf = ({ urgency }: TaskOptions) => (typeof urgency === 'function' ? urgency() : urgency);
/** Less than the distance between two kinds of callers. */
const lastStepBonus = 0.5;
const priorityOf = (options: TaskOptions): number =>
  priorities[urgencyOf(options)] + (options.lastStep ? lastStepBonus : 0);
const claimOf = (options: TaskOptions): ClassClaim => ({
  account: options.account,
  isBackground: isBackground(urgencyOf(options)),
  ...(options.long && { long: true }),
});

/** More would wait for each other. */
const mostThreads = 4;

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
 * Kills children that are still there a while after they were told to end. The library knows only SIGTERM, which a
 * stopped process does not take, and keeps the child's place until it is gone.
 */
function watchOverdue(slots: readonly WorkerSlot[]): NodeJS.Timeout {
  let seen: readonly ChildProcess[] = [];
  return setInterval(() => {
    const ending = slots.flatMap((slot) => slot.listEnding());
    for (const child of ending) if (seen.includes(child)) child.kill('SIGKILL');
    seen = ending;
  }, overdueMs).unref();
}

const overdueMs = 1_000;
