/** How child processes are started: their memory settings, environment and priority. */
import { fileURLToPath } from 'node:url';
import { type Pool, pool } from 'workerpool';
import { childEnvironment } from './child-environment.ts';
import type { SchedulingClass } from './scheduling-class.ts';
import { workerArgument } from './serve-tasks.ts';

const lowPriority = new URL('./low-priority.ts', import.meta.url);

/**
 * Megabytes of V8's young generation, which grows to 130 in each process where enough of it lives through collections.
 * Pixels do not lie there. Of the 268 MB of a child after 1,500 mixed tasks, this spares 47.
 */
const thriftyHeap = '--max-semi-space-size=8';

/**
 * glibc gives each thread a heap of its own and returns none of them: two are enough, and spare 40 MB in the model's
 * child. What is as large as a picture is mapped, and so goes back to the system when it is freed; left to itself glibc
 * learns not to, and pictures of many sizes leave holes. Spares another 50 MB, for 5 to 10 % more processor time.
 */
const thriftyMalloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(512 * 1024) };

interface ChildOptions {
  readonly script: URL;
  readonly argument: unknown;
  readonly runsAt: SchedulingClass;
  readonly starts: 'at once' | 'with a task';
}

/** A pool of one process, so that it can be ended and replaced by itself. */
export function startChild({ script, argument, runsAt, starts }: ChildOptions): Pool {
  return pool(fileURLToPath(script), {
    workerType: 'process',
    minWorkers: starts === 'at once' ? 1 : 0,
    maxWorkers: 1,
    forkOpts: {
      serialization: 'advanced',
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        thriftyHeap,
        ...(runsAt === 'low' ? [`--import=${lowPriority.href}`] : []),
      ],
      env: {
        ...thriftyMalloc,
        ...childEnvironment(process.env),
        [workerArgument]: JSON.stringify(argument),
      },
    },
    // At once, for the child has nothing to clean up; the library reads 0 as its default of 1000.
    workerTerminateTimeout: 1,
  });
}
