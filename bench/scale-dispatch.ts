/** Throughput and latency of the queue on PostgreSQL, with workers that do nothing. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openPgBossQueue } from '../src/jobs/pg-boss.ts';
import { openDatabase } from '../src/storage/database.ts';
import { transact } from '../src/storage/transact.ts';
import { median } from './median.ts';

const worker = fileURLToPath(new URL('scale-worker.ts', import.meta.url));

export interface DispatchBench {
  readonly workers: number;
  /** Each job is enqueued in a separate transaction, as by an upload, while others are processed. */
  readonly jobsPerS: number;
  /** From the commit to the start of the handler, one job at a time. */
  readonly medianMs: number;
  readonly p95Ms: number;
}

export async function benchDispatch(
  url: string,
  { workers, jobs, singles }: { readonly workers: number; readonly jobs: number; readonly singles: number },
): Promise<DispatchBench> {
  const onError = (error: unknown) => console.error(error);
  const { database, notices, close } = await openDatabase(
    { kind: 'postgres', url, poolSize: 8 },
    { onError },
  );
  const queue = await openPgBossQueue({ url, database, notices, clock: Date.now, onError });
  const name = `bench-${workers}`;
  const begunAt = new Map<string, number>();
  let heard = Promise.withResolvers<void>();
  const children: ChildProcess[] = [];
  for (let index = 0; index < workers; index++) {
    const child = fork(worker, [url, name, '32']);
    await once(child, 'message');
    child.on('message', ({ key, at }: { key: string; at: number }) => {
      begunAt.set(key, at);
      heard.resolve();
      heard = Promise.withResolvers();
    });
    children.push(child);
  }
  async function enqueue(key: string): Promise<number> {
    await transact(database, (transaction) => queue.enqueue(name, key, transaction));
    const at = performance.timeOrigin + performance.now();
    queue.wake();
    return at;
  }
  const untilBegun = async (count: number) => {
    while (begunAt.size < count) await heard.promise;
  };
  try {
    const delays: number[] = [];
    for (let index = 0; index < singles; index++) {
      const key = `single-${index}`;
      const at = await enqueue(key);
      await untilBegun(index + 1);
      delays.push(Math.max(0, begunAt.get(key)! - at));
    }
    begunAt.clear();
    const startedAt = performance.now();
    let next = 0;
    const loop = async () => {
      while (next < jobs) await enqueue(`job-${next++}`);
    };
    await Promise.all(Array.from({ length: 8 }, loop));
    await untilBegun(jobs);
    while ((await queue.count(name)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const seconds = (performance.now() - startedAt) / 1000;
    const sorted = delays.toSorted((a, b) => a - b);
    return {
      workers,
      jobsPerS: jobs / seconds,
      medianMs: median(delays),
      p95Ms: sorted[Math.floor(sorted.length * 0.95)]!,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await queue.close({ graceMs: 1_000 });
    await close();
  }
}
