/** Thread that ends its process at once when that has grown too large. */
import { workerData } from 'node:worker_threads';

export interface GuardLimits {
  readonly residentBytes: number;
}

const pollMs = 25;
const { residentBytes } = workerData as GuardLimits;

setInterval(() => {
  if (process.memoryUsage.rss() > residentBytes) process.kill(process.pid, 'SIGKILL');
}, pollMs);
