/** Opens the configured queue for commands that only enqueue jobs, which the service then runs. */
import type { Config } from '../../config.ts';
import { openQueue } from '../../jobs/open-queue.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { OpenDatabase } from '../../storage/database.ts';

export async function withQueue<T>(
  { database: config }: Config['storage'],
  { database, notices }: OpenDatabase,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const sharedUrl = config.kind === 'postgres' ? config.url : undefined;
  const queue = openQueue({ database, notices, clock: Date.now, sharedUrl, onError: console.error });
  try {
    return await work(queue);
  } finally {
    await queue.close({ graceMs: 0 });
  }
}
