/** Hands whatever watches the service what it looks at: pools, queue, storage, rows. */
import { batchItemJob } from '../batches/run-batches.ts';
import type { Config } from '../config.ts';
import { cutoutJob } from '../designs/create-design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { deliveryJob } from '../events/outbox.ts';
import type { Queue } from '../jobs/queue.ts';
import { paintingJob } from '../scenes/paint-illustration.ts';
import { createMetrics } from '../sight/metrics.ts';
import { findObstacles } from '../sight/obstacles.ts';
import { type Database, pingDatabase } from '../storage/database.ts';
import type { watchStorage } from '../storage/storage-watch.ts';
import { packageVersion } from '../version.ts';
import type { PoolState } from '../workers/worker-pool.ts';

const clock = Date.now;

interface Watched {
  readonly database: Database;
  readonly designs: DesignStore;
  readonly queue: Queue;
  readonly storage: ReturnType<typeof watchStorage>;
  readonly pools: Readonly<Record<'imaging' | 'cutting', { state(): PoolState }>>;
  /** Changes as the service starts and stops. */
  readonly state: { readonly warm: boolean; readonly stopping: boolean };
}

export function wireSight(config: Config, { database, designs, queue, storage, pools, state }: Watched) {
  const watchPools = () => ({ imaging: pools.imaging.state(), cutout: pools.cutting.state() });
  const listObstacles = () =>
    findObstacles({
      ...state,
      pingDatabase: () => pingDatabase(database),
      findStorageObstacles: storage.findObstacles,
      pools: watchPools,
      findOldestJob: () => queue.findOldest(cutoutJob),
      maxJobAgeMs: config.sight.maxJobAgeMs,
      clock,
    });
  const metrics = createMetrics({
    version: packageVersion,
    pools: watchPools,
    measureJobs: () => measureJobs(queue),
    countDesigns: designs.countByState,
    measureSpace: storage.measureSpace,
    findObstacles: listObstacles,
  });
  return { metrics, findObstacles: listObstacles };
}

async function measureJobs(queue: Queue) {
  const measures = [cutoutJob, paintingJob, batchItemJob, deliveryJob].map(async (name) => {
    const [count, oldest] = await Promise.all([queue.count(name), queue.findOldest(name)]);
    return [name, { count, oldestS: oldest ? Math.max(0, clock() - oldest.getTime()) / 1000 : 0 }] as const;
  });
  return new Map(await Promise.all(measures));
}
