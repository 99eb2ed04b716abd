/** For tests: a process that opens a pool, prints the process IDs of its children, and waits to be killed. */
import { openWorkerPool } from '../worker-pool.ts';
import type { TestTasks } from './test-worker.ts';

const pool = openWorkerPool<TestTasks>({
  script: new URL('./test-worker.ts', import.meta.url),
  argument: null,
  size: 2,
  maxWaiting: 10,
  taskTimeoutMs: 60_000,
  retriesAfterCrash: 0,
});
const { signal } = new AbortController();
const pids = await Promise.all(
  [1, 2].map(() => pool.tasks.tellPid(null, { signal, urgency: 'preview', account: 'acc_a' })),
);
process.stdout.write(JSON.stringify(pids));
// One of the children is busy when the parent is killed.
await pool.tasks.hold(
  { until: '/no/such/file', name: 'busy', log: '/dev/null' },
  { signal, urgency: 'ahead', account: 'acc_a' },
);
