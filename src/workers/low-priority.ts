/**
 * Lowers the process's own priority: the operating system then runs it only on cores that nothing else needs. Preloaded
 * by low-priority child processes, so that even loading the program runs at that priority.
 */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
/** Relative to the service, which may itself run at a lowered priority. */
const niceness = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);

try {
  // On Linux each thread has its own priority, and a new thread inherits that of the thread that starts it.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) setPriority(thread, niceness);
} catch {
  // The system does not permit it; the child then keeps the usual priority.
}
