/** Lets a child process free memory while it is idle. */
import type { ServedTasks } from './serve-tasks.ts';

/**
 * Returns the tasks, wrapped to observe when they run. Once the last running task has ended, waits `afterMs`
 * milliseconds, and then calls `rest` if no other task has started. Errors of `rest` are ignored.
 */
export function restWhileIdle<T extends ServedTasks>(
  tasks: T,
  rest: () => Promise<void>,
  afterMs: number,
): T {
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const watch =
    (task: ServedTasks[string]): ServedTasks[string] =>
    async (input) => {
      running++;
      clearTimeout(timer);
      try {
        return await task(input);
      } finally {
        running--;
        if (running === 0) timer = setTimeout(() => void rest().catch(() => undefined), afterMs).unref();
      }
    };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, watch(task)])) as T;
}
