/**
 * Preloaded by child processes that run at a low priority: the operating system gives them a core only where nothing else
 * wants it. Preloaded, so that loading the program has that priority as well.
 */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
/** Relative to the service, which may itself have been started at another one. */
const niceness = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);

try {
  // On Linux a priority is a thread's own, and threads start with that of the one which starts them.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) setPriority(thread, niceness);
} catch {
  // The system forbids it: then the child takes its turn as the others do.
}
