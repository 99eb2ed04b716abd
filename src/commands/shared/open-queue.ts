/** The configured queue, for commands that enqueue and leave the work to the service. */
import type { Config } from '../../config.ts';
import { openQueue as openOn } from '../../jobs/open-queue.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { OpenDatabase } from '../../storage/database.ts';

export function openQueue({ storage }: Config, { database, notices }: OpenDatabase): Queue {
  const sharedUrl = storage.database.kind === 'postgres' ? storage.database.url : undefined;
  return openOn({ database, notices, clock: Date.now, sharedUrl, onError: console.error });
}
