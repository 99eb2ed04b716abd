/** Opens database, blob store, queue and worker pools, in this order. */
import type { Config } from '../config.ts';
import { PackshotError } from '../errors.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { createRemoteCalls } from '../jobs/remote-calls.ts';
import { watchBlobs } from '../storage/blob-watch.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import { checkSameBlobs } from '../storage/cluster-state.ts';
import { openDatabase } from '../storage/database.ts';
import { watchStorage } from '../storage/disk-space.ts';
import { lockDataDir } from '../storage/lock-data-dir.ts';
import { createStoredBytes } from '../storage/stored-bytes.ts';
import { wireEvictor } from './evictor.ts';
import { openPools, type Pools } from './pools.ts';
import type { OurRemoteTasks } from './remote-tasks.ts';

const clock = Date.now;

export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>;

/**
 * Throws `storage_unavailable` if the database is unreachable, or locked by another process. Opens the worker pools,
 * unless the caller passes `pools` that are already open.
 */
export async function openInfrastructure(
  config: Config,
  reportError: (error: unknown, where: string) => void,
  pools?: Pools,
) {
  const { storage } = config;
  // Only one process may use a SQLite database; so only one may use the folder that holds it.
  const lock =
    storage.database.kind === 'sqlite' ? lockDataDir(storage.dataDir) : { release: () => undefined };
  if (!lock)
    throw new PackshotError('storage_unavailable', 'Another Packshot process is using this data folder.');
  const rows = await openDatabase(storage.database, { onError: (error) => reportError(error, 'database') });
  const stored = await openBlobStore(storage.blobs, { alone: rows.kind === 'sqlite' });
  if (rows.kind === 'postgres') await checkSameBlobs(rows.database, stored, clock);
  const evictor = wireEvictor(config, stored, (error) => reportError(error, 'evictor'));
  const storedBytes = createStoredBytes(rows.database, (error) => reportError(error, 'stored bytes'));
  const blobs = storedBytes.watch(evictor?.blobs ?? stored);
  const { database } = storage;
  const queue = openQueue({
    ...rows,
    clock,
    sharedUrl: database.kind === 'postgres' ? database.url : undefined,
    onError: (error) => reportError(error, 'queue'),
  });
  return {
    ...rows,
    lock,
    blobs,
    queue,
    remoteCalls: createRemoteCalls<OurRemoteTasks>({
      ...rows,
      blobs,
      queue,
      clock,
      maxWaiting: config.rendering.maxWaiting,
      onError: (error) => reportError(error, 'remote calls'),
    }),
    evictor,
    storedBytes,
    storage: storage.blobs.kind === 's3' ? watchBlobs(stored) : watchStorage(storage.dataDir, storage),
    pools: pools ?? openPools(config),
  };
}
