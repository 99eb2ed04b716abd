/** Builds metrics and readiness checks over pools, queue, storage and database. */
import { batchItemJob } from '../batches/accept-batch.ts';
import type { Config } from '../config.ts';
import { improvementJob } from '../cutout/cut.ts';
import { cutoutJob } from '../designs/create-design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { deliveryJob } from '../events/delivery-tries.ts';
import { paintingJob } from '../illustrations/painting/paint-illustration.ts';
import { aheadJob } from '../illustrations/prerender.ts';
import { createDeadJobStore } from '../jobs/dead-jobs.ts';
import type { Queue } from '../jobs/queue.ts';
import { remoteCallJob } from '../jobs/remote-calls.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { findObstacles } from '../monitoring/obstacles.ts';
import { type Database, pingDatabase } from '../storage/database.ts';
import type { StorageWatch } from '../storage/disk-space.ts';
import type { BlobEvictor } from '../storage/evict-blobs.ts';
import { packageVersion } from '../version.ts';
import type { PoolState } from '../workers/worker-pool.ts';

const clock = Date.now;

interface Watched {
  readonly database: Database;
  readonly designs: DesignStore;
  readonly queue: Queue;
  readonly storage: StorageWatch;
  readonly evictor: BlobEvictor | undefined;
  readonly pools: {
    readonly imaging: { state(): PoolState };
    readonly cutting: { state(): PoolState } | undefined;
  };
  /** Id of the illustration engine. */
  readonly engine: string | undefined;
  /** Changes as the service starts and stops. */
  readonly state: { readonly warm: boolean; readonly stopping: boolean };
}

export type Monitoring = ReturnType<typeof buildMonitoring>;

export function buildMonitoring(config: Config, watched: Watched) {
  const { database, designs, queue, storage, evictor, pools, state } = watched;
  const watchPools = () => ({
    imaging: pools.imaging.state(),
    ...(pools.cutting && { cutout: pools.cutting.state() }),
  });
  const listObstacles = () =>
    findObstacles({
      ...state,
      pingDatabase: () => pingDatabase(database),
      findStorageObstacles: storage.findObstacles,
      pools: watchPools,
      findOldestJob: () => queue.findOldest(cutoutJob),
      // The limit applies only where a single process does everything. Several processes share one queue: if they were
      // not ready because of an old job, the queue would only lose workers.
      maxJobAgeMs: config.role === 'all' ? config.monitoring.maxJobAgeMs : Number.POSITIVE_INFINITY,
      clock,
    });
  const metrics = createMetrics({
    version: packageVersion,
    engine: watched.engine,
    pools: watchPools,
    measureJobs: () => measureJobs(queue),
    countDesigns: designs.countByState,
    async countDeadJobs() {
      const dead = await createDeadJobStore(database, clock).countDeadJobs();
      return new Map([...jobNames.map((name) => [name, 0] as const), ...dead]);
    },
    measureSpace: storage.measureSpace,
    measureBlobs: () => evictor?.measureUse(),
    findObstacles: listObstacles,
  });
  return { metrics, findObstacles: listObstacles };
}

const jobNames = [
  ...[cutoutJob, improvementJob, remoteCallJob, aheadJob, paintingJob, batchItemJob, deliveryJob],
] as const;

async function measureJobs(queue: Queue) {
  const measures = jobNames.map(async (name) => {
    const [count, oldest] = await Promise.all([queue.count(name), queue.findOldest(name)]);
    return [name, { count, oldestS: oldest ? Math.max(0, clock() - oldest.getTime()) / 1000 : 0 }] as const;
  });
  return new Map(await Promise.all(measures));
}
