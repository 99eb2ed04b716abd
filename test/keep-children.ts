/**
 * For `vitest.config.ts`: a service that starts in a test's own process takes over idle child processes of services that
 * have ended there. A new child takes half a second of CPU to load, and over a second more for its first cutout and
 * scene, because nothing is compiled yet; most tests take less than that.
 *
 * A pool forks and kills its children. Here it gets a `LentChild` instead, which forwards everything but the end of an
 * idle child.
 */
import childProcess, { type ChildProcess, type ForkOptions, type Serializable } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Maximum number of idle children per test process; each takes 60 to 200 MB. Four are enough for the children of one
 * service, and one or two with other settings.
 */
const mostKept = 4;
/** A child that has run more tasks than this is not kept. A service replaces one after 200 tasks if it has grown. */
const mostTasks = 300;
/** Scripts of the children that are kept. All other children, such as those that serve a single file, end as usual. */
const keptScripts = /\/(imaging|cutout)-worker\.ts$/;

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
  #isBusy = false;

  constructor(made: KeptChild) {
    super();
    this.#made = made;
    for (const [name, listener] of this.#listeners) made.child.on(name, listener);
  }

  readonly #listeners = [
    ['message', (message: unknown) => this.#hear(message)],
    ['exit', (...ended: unknown[]) => this.emit('exit', ...ended)],
    ['error', (error: unknown) => this.emit('error', error)],
  ] as const;

  send(message: Serializable, onSent: (error: Error | null) => void): boolean {
    this.#isBusy = true;
    this.#made.tasks++;
    return this.#made.child.send(message, onSent);
  }

  kill(signal?: NodeJS.Signals): boolean {
    if (this.#isBusy || this.#made.tasks >= mostTasks) return this.#made.child.kill(signal);
    this.#giveBack();
    return true;
  }

  #hear(message: unknown): void {
    this.#isBusy = false;
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

function lend(fork: typeof childProcess.fork, script: string | URL, options: ForkOptions) {
  const madeFrom = JSON.stringify([script, options]);
  const at = kept.findLastIndex(({ child, ...one }) => one.madeFrom === madeFrom && child.connected);
  const [found] = at === -1 ? [] : kept.splice(at, 1);
  if (!found) {
    const child = fork(script, options);
    // While nobody uses a child, an error of its channel concerns nobody.
    child.on('error', () => undefined);
    return new LentChild({ child, madeFrom, tasks: 0 });
  }
  found.child.ref();
  found.child.channel?.ref();
  return new LentChild(found);
}

/**
 * The test files of a project share processes, so one process may load this module several times. The mark prevents
 * that `fork` is replaced more than once.
 */
const mark = Symbol.for('packshot.keepsChildren');
if (!Reflect.has(globalThis, mark)) {
  Reflect.set(globalThis, mark, true);
  const { fork } = childProcess;
  const lendOrFork = (script: string | URL, options: ForkOptions = {}) =>
    keptScripts.test(String(script)) ? lend(fork, script, options) : fork(script, options);
  Reflect.set(childProcess, 'fork', lendOrFork);
  syncBuiltinESMExports();
}
