/**
 * A crew of threads that draw one picture together in shared memory. Threads and memory are reused for the next
 * picture.
 */
import { Worker } from 'node:worker_threads';
import { PackshotError } from 'packshot-errors';
import type { Pass } from './passes.ts';
import type { PictureFrame } from './picture-frame.ts';
import { PictureMemory } from './picture-memory.ts';
import { drawBatch, hasFailed, isAtWork, makeRowControl, type RowControl, stopRows } from './row-batches.ts';
import type { ThreadReport, ThreadTask } from './studio-thread.ts';

const idleCrews: StudioCrew[] = [];

export function claimCrew(members: number): StudioCrew {
  const idle = idleCrews.pop();
  // A pooled crew may have lost a thread while idle.
  if (idle?.isWhole === false) idle.release();
  const crew = idle?.isWhole ? idle : new StudioCrew();
  crew.wake(members);
  return crew;
}

/** Awaited between batches, so that the process can handle messages such as an abort. */
const yieldToEventLoop = () => new Promise(setImmediate);

/** Threads that draw one picture. The calling thread draws, too, so a crew of one has no worker thread. */
export class StudioCrew {
  readonly memory = new PictureMemory();
  readonly #script: URL;
  readonly #threads: Worker[] = [];
  /** Number of threads, counted from the first, that this picture uses. */
  #active = 0;
  /** Threads whose script has loaded. The picture does not wait for the others. */
  readonly #ready = new Set<Worker>();
  #frame: PictureFrame | undefined;
  #failure: unknown;
  /** Called whenever a thread sends a message, fails or exits. */
  #onReport: () => void = () => undefined;

  /** A test passes a script whose threads fail. */
  constructor(script = new URL('./studio-thread.ts', import.meta.url)) {
    this.#script = script;
  }

  /** Sets the number of threads for the next picture, and starts threads that are missing. */
  wake(members: number): void {
    this.#active = members - 1;
    while (this.#threads.length < this.#active) this.#threads.push(this.#start());
    for (const thread of this.#threads) thread.ref();
  }

  /** Resolves when all active threads have loaded, or one has failed. Only tests wait for this. */
  async assemble(): Promise<void> {
    while (this.#helpers().length < this.#active && this.#failure === undefined) {
      await this.#nextReport();
    }
  }

  get isWhole(): boolean {
    return this.#failure === undefined;
  }

  /** Sets the picture to be drawn. */
  show(frame: PictureFrame): void {
    this.#frame = frame;
    for (const thread of this.#helpers()) post(thread, { frame });
  }

  /**
   * Draws all rows of a pass and resolves when they are done. `number` is the index of `pass` in `listPasses` of the
   * frame. If the signal aborts or a thread fails, rejects with the reason once all threads have stopped, after at most
   * one more batch each.
   */
  async draw(number: number, { rows, draw }: Pass, signal: AbortSignal): Promise<void> {
    const control = makeRowControl(rows);
    for (const thread of this.#helpers()) post(thread, { pass: number, control });
    try {
      while (!signal.aborted && this.#failure === undefined && this.#drawAlong(control, draw)) {
        await yieldToEventLoop();
      }
    } finally {
      stopRows(control);
      // If a thread failed, wait for its report, which arrives a moment later.
      while ((isAtWork(control) || hasFailed(control)) && this.#failure === undefined)
        await this.#nextReport();
    }
    signal.throwIfAborted();
    if (this.#failure !== undefined) {
      throw new PackshotError('internal', 'A thread failed while drawing the picture.', {
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

  /** Returns the crew to the pool, or terminates it if it has lost a thread. */
  release(): void {
    this.#frame = undefined;
    if (this.#failure !== undefined) {
      for (const thread of this.#threads) void thread.terminate();
      return;
    }
    // Idle threads must not keep the process alive.
    for (const thread of this.#threads) thread.unref();
    idleCrews.push(this);
  }

  #helpers(): Worker[] {
    return this.#threads.slice(0, this.#active).filter((thread) => this.#ready.has(thread));
  }

  #start(): Worker {
    const thread = new Worker(this.#script);
    thread.on('message', (report: ThreadReport) => {
      if (report === 'ready') {
        this.#ready.add(thread);
        if (this.#frame !== undefined) post(thread, { frame: this.#frame });
      } else if (report !== 'idle') {
        this.#failure ??= report.failure;
      }
      this.#onReport();
    });
    const fail = (cause: unknown) => {
      this.#failure ??= cause;
      this.#onReport();
    };
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`The thread ended with code ${code}.`)));
    return thread;
  }

  #nextReport(): Promise<void> {
    return new Promise((resolve) => {
      this.#onReport = resolve;
    });
  }
}

function post(thread: Worker, task: ThreadTask): void {
  thread.postMessage(task);
}
