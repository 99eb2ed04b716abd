/** Thread that kills its own process once the process exceeds a memory limit. */
import { workerData } from 'node:worker_threads';

export interface GuardLimits {
  readonly residentBytes: number;
}

const pollMs = 25;
const { residentBytes } = workerData as GuardLimits;

setInterval(() => {
  if (process.memoryUsage.rss() > residentBytes) process.kill(process.pid, 'SIGKILL');
}, pollMs);
