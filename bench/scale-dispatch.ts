/** Throughput and latency of the queue on PostgreSQL, with workers that do nothing. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { openQueue } from '../src/jobs/open-queue.ts';
import type { Queue } from '../src/jobs/queue.ts';
import { openDatabase } from '../src/storage/database.ts';
import { transact } from '../src/storage/transact.ts';
import { median } from './median.ts';

/** The queue in this checkout; to measure another, pass a module whose `openQueue` has the same signature. */
export const ownQueue = fileURLToPath(new URL('../src/jobs/open-queue.ts', import.meta.url));

const worker = fileURLToPath(new URL('scale-worker.ts', import.meta.url));

export type OpenQueue = (...options: Parameters<typeof openQueue>) => Queue | Promise<Queue>;

export async function importQueue(path: string): Promise<OpenQueue> {
  return (await import(pathToFileURL(path).href)).openQueue;
}

/** Resolves to a worker process once the process accepts jobs of the queue. Calls `onBegun` when a job starts. */
export async function startWorker(
  {
    url,
    name,
    concurrency,
    path,
  }: Record<'url' | 'name' | 'path', string> & { readonly concurrency: number },
  onBegun: (begun: { readonly key: string; readonly at: number }) => void,
): Promise<ChildProcess> {
  const child = fork(worker, [url, name, String(concurrency), path]);
  await once(child, 'message');
  child.on('message', onBegun);
  return child;
}

export interface DispatchBench {
  readonly workers: number;
  /** Throughput: each job is enqueued in its own transaction, as for an upload, while earlier jobs run. */
  readonly jobsPerS: number;
  /** Milliseconds from the commit to the start of the handler, for one job at a time. */
  readonly medianMs: number;
  readonly p95Ms: number;
}

interface DispatchLoad {
  readonly workers: number;
  readonly jobs: number;
  readonly singles: number;
  /** Path of the queue's module; default: `ownQueue`. */
  readonly path?: string;
}

export async function benchDispatch(
  url: string,
  { workers, jobs, singles, path = ownQueue }: DispatchLoad,
): Promise<DispatchBench> {
  const onError = (error: unknown) => console.error(error);
  const { database, notices, close } = await openDatabase(
    { kind: 'postgres', url, poolSize: 8 },
    { onError },
  );
  const open = await importQueue(path);
  const queue = await open({ database, notices, clock: Date.now, sharedUrl: url, onError });
  const name = `bench-${workers}`;
  const begunAt = new Map<string, number>();
  let heard = Promise.withResolvers<void>();
  const children: ChildProcess[] = [];
  for (let index = 0; index < workers; index++) {
    const child = await startWorker({ url, name, concurrency: 32, path }, ({ key, at }) => {
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
