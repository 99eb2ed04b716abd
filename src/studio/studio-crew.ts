/** Threads that draw one picture together, and the memory that they share; both stay warm for the next picture. */
import { Worker } from 'node:worker_threads';
import { PackshotError } from '../errors.ts';
import type { Pass } from './passes.ts';
import type { PictureFrame } from './picture-frame.ts';
import { ownMemory, type PictureMemory, SharedMemory } from './picture-memory.ts';
import { drawBatch, hasFailed, isAtWork, makeRowControl, type RowControl, stopRows } from './row-batches.ts';
import type { ThreadReport, ThreadTask } from './studio-thread.ts';

/** `members` counts the calling thread, which works along: a crew of one has no thread. */
export interface StudioCrew {
  readonly memory: PictureMemory;
  /** What the threads draw from now on. */
  show(frame: PictureFrame): void;
  /**
   * Draws all rows of the frame's pass `number`, which must be the same in the calling thread. Resolves when they are
   * done; rejects within a batch with the signal's reason or with the failure of whoever failed, and then, too, no
   * thread works on any more.
   */
  draw(number: number, pass: Pass, signal: AbortSignal): Promise<void>;
  /** Gives the crew back for the next picture; one that lost a thread is dismissed. */
  release(): void;
}

const resting: ThreadCrew[] = [];

export function claimCrew(members: number): StudioCrew {
  if (members <= 1) {
    return soloist;
  }
  const rested = resting.pop();
  // It may have lost a thread in its sleep.
  if (rested?.isWhole === false) rested.release();
  const crew = rested?.isWhole ? rested : new ThreadCrew();
  crew.wake(members);
  return crew;
}

/** Between batches the process handles its messages, an abort among them. */
const breathe = () => new Promise(setImmediate);

const soloist: StudioCrew = {
  memory: ownMemory,
  show: () => undefined,
  draw: async (_number, { rows, draw }, signal) => {
    const control = makeRowControl(rows);
    while (drawBatch(control, draw)) {
      await breathe();
      signal.throwIfAborted();
    }
  },
  release: () => undefined,
};

/** Exported for its test, which gives it threads that die. */
export class ThreadCrew implements StudioCrew {
  readonly memory = new SharedMemory();
  readonly #script: URL;
  readonly #threads: Worker[] = [];
  /** How many of them, from the first, this picture asks for. */
  #asked = 0;
  /** Those that have loaded; the picture does not wait for the others. */
  readonly #ready = new Set<Worker>();
  #frame: PictureFrame | undefined;
  #failure: unknown;
  /** Called whenever a thread says something. */
  #heard: () => void = () => undefined;

  constructor(script = new URL('./studio-thread.ts', import.meta.url)) {
    this.#script = script;
  }

  /** Calls up as many as the next picture asks for, and starts those that are missing. */
  wake(members: number): void {
    this.#asked = members - 1;
    while (this.#threads.length < this.#asked) this.#threads.push(this.#start());
    for (const thread of this.#threads) thread.ref();
  }

  /** Resolves when all that were called up have loaded. */
  async assemble(): Promise<void> {
    while (this.#helpers().length < this.#asked && this.#failure === undefined) {
      await this.#hear();
    }
  }

  get isWhole(): boolean {
    return this.#failure === undefined;
  }

  show(frame: PictureFrame): void {
    this.#frame = frame;
    for (const thread of this.#helpers()) tell(thread, { frame });
  }

  async draw(number: number, { rows, draw }: Pass, signal: AbortSignal): Promise<void> {
    const control = makeRowControl(rows);
    for (const thread of this.#helpers()) tell(thread, { pass: number, control });
    try {
      while (!signal.aborted && this.#failure === undefined && this.#drawAlong(control, draw)) {
        await breathe();
      }
    } finally {
      stopRows(control);
      // Who failed says so a moment later.
      while ((isAtWork(control) || hasFailed(control)) && this.#failure === undefined) await this.#hear();
    }
    signal.throwIfAborted();
    if (this.#failure !== undefined) {
      throw new PackshotError('internal', 'A thread of the studio failed; the picture is lost.', {
        cause: this.#failure,
      });
    }
  }

  #drawAlong(control: RowControl, draw: Pass['draw']): boolean {
    try {
      return drawBatch(control, draw);
    } catch (failure) {
      this.#failure ??= failure;
      return false;
    }
  }

  release(): void {
    this.#frame = undefined;
    if (this.#failure !== undefined) {
      for (const thread of this.#threads) void thread.terminate();
      return;
    }
    // Resting threads never keep the process alive.
    for (const thread of this.#threads) thread.unref();
    resting.push(this);
  }

  #helpers(): Worker[] {
    return this.#threads.slice(0, this.#asked).filter((thread) => this.#ready.has(thread));
  }

  #start(): Worker {
    const thread = new Worker(this.#script);
    thread.on('message', (report: ThreadReport) => {
      if (report === 'ready') {
        this.#ready.add(thread);
        if (this.#frame !== undefined) tell(thread, { frame: this.#frame });
      } else if (report !== 'rested') {
        this.#failure ??= report.failure;
      }
      this.#heard();
    });
    const die = (cause: unknown) => {
      this.#failure ??= cause;
      this.#heard();
    };
    thread.on('error', die);
    thread.on('exit', (code) => die(new Error(`The thread ended with code ${code}.`)));
    return thread;
  }

  #hear(): Promise<void> {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }
}

function tell(thread: Worker, task: ThreadTask): void {
  thread.postMessage(task);
}
