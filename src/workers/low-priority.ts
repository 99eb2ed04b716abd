/**
 * Lowers the priority of its own process: the operating system then runs the process only on cores that nothing else
 * needs. Low-priority children preload this file, so that even loading the program runs at that priority.
 */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
/** Relative to the service's own priority, which the operator may have lowered. */
const niceness = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);

try {
  // On Linux, each thread has its own priority. A new thread inherits the priority of the thread that starts it.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) setPriority(thread, niceness);
} catch {
  // The system does not permit the change; the child then keeps the usual priority.
}
