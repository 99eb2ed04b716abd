/** Opens the configured queue for commands that only enqueue jobs, which the service then runs. */
import type { Config } from '../../config.ts';
import { openQueue as openOn } from '../../jobs/open-queue.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { OpenDatabase } from '../../storage/database.ts';

export function openQueue({ storage }: Config, { database, notices }: OpenDatabase): Queue {
  const sharedUrl = storage.database.kind === 'postgres' ? storage.database.url : undefined;
  return openOn({ database, notices, clock: Date.now, sharedUrl, onError: console.error });
}
