/** The queue that the configuration asks for, for commands that enqueue and leave the work to the service. */
import type { Config } from '../../config.ts';
import { openEmbeddedQueue } from '../../jobs/embedded.ts';
import { openPgBossQueue } from '../../jobs/pg-boss.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { OpenDatabase } from '../../storage/database.ts';

export async function openQueue({ storage }: Config, { database, notices }: OpenDatabase): Promise<Queue> {
  const shared = { clock: Date.now, onError: console.error };
  return storage.database.kind === 'postgres'
    ? openPgBossQueue({ url: storage.database.url, database, notices, ...shared })
    : openEmbeddedQueue(database, shared);
}
