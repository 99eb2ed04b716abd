/** A child process. It runs one task at a time, and is killed if a task hangs or its caller leaves. */
import { fork } from 'node:child_process';
import { PackshotError } from 'packshot-errors';
import { childEnvironment } from './child-environment.ts';
import type { SchedulingClass } from './scheduling-class.ts';
import { type Answer, type Report, workerArgument } from './serve-tasks.ts';

export interface ChildOptions {
  /** The child's entry file, which calls `serveTasks`. */
  readonly script: URL;
  /**
   * The child's configuration. Passed as JSON in the child's environment, which only the same user can read; every user
   * could read command-line arguments.
   */
  readonly argument: unknown;
  readonly runsAt: SchedulingClass;
  /** Whether the child's output is dropped. */
  readonly isQuiet?: boolean;
}

export interface Call {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** A task that runs longer is considered hung. */
  readonly timeoutMs: number;
  /** How long the task may continue after its signal aborts, in milliseconds, before the child is killed. */
  readonly graceAfterAbortMs: number;
}

export interface Child {
  /** Whether it has ended, or is about to end. */
  hasExited(): boolean;
  /**
   * Wait for the end of one call before the next. Throws `WorkerCrash`, or the signal's reason, once the child has
   * exited.
   */
  call(call: Call): Promise<Report>;
  /** Kills the child. Resolves once it has exited. */
  end(): Promise<void>;
}

/** The child died or hung; part of the task may have been done. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

const lowPriority = new URL('./low-priority.ts', import.meta.url);

/**
 * Limits V8's young generation, which could otherwise grow to 130 MB per process if many objects survive collections.
 * Pixel buffers are allocated elsewhere. Saves 47 of the 268 MB that a child uses after 1,500 mixed tasks.
 */
const thriftyHeap = '--max-semi-space-size=8';

/**
 * By default, glibc gives each thread a heap of its own and never returns that memory; a limit of two heaps saves 40 MB
 * in the child that holds the model. Blocks larger than the mmap threshold lie outside the heaps, so their memory is
 * returned when they are freed. By default, glibc raises this threshold over time, and pictures of many sizes then
 * fragment the heaps. A fixed threshold saves another 50 MB, but takes 5 to 10 % more CPU time.
 */
const thriftyMalloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(512 * 1024) };

export function startChild({ script, argument, runsAt, isQuiet = false }: ChildOptions): Child {
  const output = isQuiet ? 'ignore' : 'inherit';
  const child = fork(script, {
    serialization: 'advanced',
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      thriftyHeap,
      ...process.execArgv.filter((option) => option.startsWith('--max-old-space-size')),
      ...(runsAt === 'low' ? [`--import=${lowPriority.href}`] : []),
    ],
    env: { ...thriftyMalloc, ...childEnvironment(process.env), [workerArgument]: JSON.stringify(argument) },
    stdio: ['ignore', output, output, 'ipc'],
  });
  // Without free file descriptors, `fork` returns a child that has no process and no channel, and reports it later.
  const isForked = typeof child.send === 'function';
  const exit = Promise.withResolvers<void>();
  let exited = false;
  let ending = false;
  /** Settles the running call; with undefined if the child has exited. */
  let settle: ((report?: Report) => void) | undefined;
  const noteExit = () => {
    exited = true;
    exit.resolve();
    settle?.();
  };
  // Also ends a process that cannot handle other signals, because native code hangs or because it is suspended.
  const kill = () => {
    ending = true;
    if (isForked) child.kill('SIGKILL');
  };
  child.on('message', (report) => settle?.(report as Report));
  child.on('exit', noteExit);
  child.on('error', () => {
    // There is no process, no connection to it, or no way to kill it.
    if (exited) return;
    noteExit();
    kill();
  });

  return {
    hasExited: () => exited || ending,
    async call({ task, input, signal, timeoutMs, graceAfterAbortMs }) {
      let hung = false;
      const timer = setTimeout(() => {
        hung = true;
        kill();
      }, timeoutMs);
      let grace: NodeJS.Timeout | undefined;
      const leave = () => {
        grace = setTimeout(kill, graceAfterAbortMs);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        const settled = new Promise<Report | undefined>((resolve) => {
          settle = resolve;
        });
        if (isForked) child.send({ task, input }, (error) => error && kill());
        const report = await settled;
        if (report) return report;
        signal.throwIfAborted();
        throw new WorkerCrash(hung ? `${task} hung and was stopped` : `${task} ended its process`);
      } finally {
        settle = undefined;
        signal.removeEventListener('abort', leave);
        clearTimeout(timer);
        clearTimeout(grace);
      }
    },
    end() {
      if (!exited) kill();
      return exit.promise;
    },
  };
}

/** Returns the task's result, or throws the task's own error. */
export function readAnswer(task: string, answer: Answer): unknown {
  if (answer.ok) return answer.value;
  if ('code' in answer) {
    const { code, message, cause, retryAfterS } = answer;
    throw new PackshotError(code, message, { cause, ...(retryAfterS !== undefined && { retryAfterS }) });
  }
  throw new Error(`${task} failed in its process: ${answer.message}`);
}
