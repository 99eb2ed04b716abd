/** Starts child processes with their memory settings, environment and priority. */
import { fileURLToPath } from 'node:url';
import { type Pool, pool } from 'workerpool';
import { childEnvironment } from './child-environment.ts';
import type { SchedulingClass } from './scheduling-class.ts';
import { workerArgument } from './serve-tasks.ts';

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

interface ChildOptions {
  readonly script: URL;
  readonly argument: unknown;
  readonly runsAt: SchedulingClass;
  readonly starts: 'at once' | 'with a task';
}

/** Opens a pool of only one process, so that each process can be ended and replaced separately. */
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
      env: { ...thriftyMalloc, ...childEnvironment(process.env), [workerArgument]: JSON.stringify(argument) },
    },
    // Minimal, because the child has nothing to clean up. The library would read 0 as its default of 1000.
    workerTerminateTimeout: 1,
  });
}
