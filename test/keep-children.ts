/**
 * For `vitest.config.ts`: a service that starts in a test's own process takes over idle child processes of services that
 * have ended there. A new child takes half a second of CPU to load, and over a second more for its first cutout and
 * scene, because nothing is compiled yet; most tests take less than that.
 *
 * The library `workerpool` forks the children, and ends them by a message. Here it gets a `LentChild` instead, which
 * forwards everything but that message.
 */
import childProcess, { type ChildProcess, type ForkOptions, type Serializable } from 'node:child_process';
import { EventEmitter } from 'node:events';

/**
 * Maximum number of idle children per test process; each takes 60 to 200 MB. Four are enough for the children of one
 * service, and one or two with other settings.
 */
const mostKept = 4;
/** A child that has run more tasks than this is not kept. A service replaces one after 200 tasks if it has grown. */
const mostTasks = 300;
/** Scripts of the children that are kept. All other children, such as those that serve a single file, end as usual. */
const keptScripts = /\/(imaging|cutout)-worker\.ts$/;
/** Messages of `workerpool`. */
const [ready, terminate, cleanUp] = ['ready', '__workerpool-terminate__', '__workerpool-cleanup__'];

interface KeptChild {
  readonly child: ChildProcess;
  readonly madeFrom: string;
  tasks: number;
}

/** Idle children, the one that was used last at the end. */
const kept: KeptChild[] = [];

/** A child process for one service. When the service ends it, the process is kept for the next one if it is idle. */
class LentChild extends EventEmitter {
  readonly #made: KeptChild;
  readonly #open = new Set<number>();
  #isSound: boolean;

  constructor(made: KeptChild, isLoaded: boolean) {
    super();
    this.#made = made;
    this.#isSound = isLoaded;
    for (const [name, listener] of this.#listeners) made.child.on(name, listener);
    if (isLoaded) setImmediate(() => this.emit('message', ready));
  }

  readonly #listeners = [
    ['message', (message: unknown) => this.#hear(message)],
    ['exit', (...ended: unknown[]) => this.emit('exit', ...ended)],
    ['error', (error: unknown) => this.emit('error', error)],
  ] as const;

  get pid() {
    return this.#made.child.pid;
  }
  /** The pool sets this property, too. */
  killed = false;

  send(message: Serializable): boolean {
    if (message === terminate && this.#isSound && this.#open.size === 0 && this.#made.tasks < mostTasks) {
      this.#giveBack();
      return true;
    }
    const { id, method } = Object(message);
    // A task was canceled. The pool then ends the child, so the child must not be kept.
    if (method === cleanUp) this.#isSound = false;
    else if (id !== undefined) {
      this.#open.add(id);
      this.#made.tasks++;
    }
    return this.#made.child.send(message);
  }

  kill(signal?: NodeJS.Signals): boolean {
    this.#isSound = false;
    return this.#made.child.kill(signal);
  }

  #hear(message: unknown): void {
    if (message === ready) this.#isSound = true;
    this.#open.delete(Object(message).id);
    this.emit('message', message);
  }

  #giveBack(): void {
    const { child } = this.#made;
    for (const [name, listener] of this.#listeners) child.off(name, listener);
    child.unref();
    child.channel?.unref();
    kept.push(this.#made);
    if (kept.length > mostKept) kept.shift()!.child.kill();
    setImmediate(() => this.emit('exit', 0, null));
  }
}

function lend(
  fork: typeof childProcess.fork,
  script: string,
  words: readonly string[],
  options: ForkOptions,
) {
  const madeFrom = JSON.stringify([script, words, options]);
  const at = kept.findLastIndex(({ child, ...one }) => one.madeFrom === madeFrom && child.connected);
  const [found] = at === -1 ? [] : kept.splice(at, 1);
  if (!found) {
    const child = fork(script, words, options);
    // While nobody uses a child, an error of its channel concerns nobody.
    child.on('error', () => undefined);
    return new LentChild({ child, madeFrom, tasks: 0 }, false);
  }
  found.child.ref();
  found.child.channel?.ref();
  return new LentChild(found, true);
}

/**
 * The test files of a project share processes, so one process may load this module several times. The mark prevents
 * that `fork` is replaced more than once.
 */
const mark = Symbol.for('packshot.keepsChildren');
if (!Reflect.has(globalThis, mark)) {
  Reflect.set(globalThis, mark, true);
  const { fork } = childProcess;
  // `workerpool` looks this function up for each child; our own code imports it by name and is not affected.
  Reflect.set(
    childProcess,
    'fork',
    (script: string, words: readonly string[] = [], options: ForkOptions = {}) =>
      keptScripts.test(script) ? lend(fork, script, words, options) : fork(script, words, options),
  );
}
