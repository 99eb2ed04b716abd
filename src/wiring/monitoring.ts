/** Builds metrics, readiness checks, and the log of background work. */
import { inspect } from 'node:util';
import type { StepTiming } from 'packshot-pixels';
import { batchItemJob } from '../batches/accept-batch.ts';
import type { Config } from '../config.ts';
import { improvementJob } from '../cutouts/improve-cutout.ts';
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
import type { UnansweredQuestion } from '../understanding/language-model.ts';
import { packageVersion } from '../version.ts';
import type { PoolState } from '../workers/worker-pool.ts';

const clock = Date.now;

interface Watched {
  readonly database: Database;
  readonly designs: DesignStore;
  readonly queue: Queue;
  readonly space: StorageWatch;
  readonly evictor: BlobEvictor | undefined;
  readonly imaging: { state(): PoolState };
  readonly cutting: { state(): PoolState } | undefined;
  /** Changes as the service starts and stops. */
  readonly state: { readonly warm: boolean; readonly stopping: boolean };
}

/** `engine` is the id of the illustration engine. */
export function buildMonitoring(config: Config, watched: Watched, engine: string | undefined) {
  const { database, designs, queue, space, evictor, imaging, cutting, state } = watched;
  const watchPools = () => ({ imaging: imaging.state(), ...(cutting && { cutout: cutting.state() }) });
  const listObstacles = () =>
    findObstacles({
      ...state,
      pingDatabase: () => pingDatabase(database),
      findStorageObstacles: space.findObstacles,
      pools: watchPools,
      findOldestJob: () => queue.findOldest(cutoutJob),
      // The limit applies only where a single process does everything. Several processes share one queue: if they were
      // not ready because of an old job, the queue would only lose workers.
      maxJobAgeMs: config.role === 'all' ? config.monitoring.maxJobAgeMs : Number.POSITIVE_INFINITY,
      clock,
    });
  const metrics = createMetrics({
    version: packageVersion,
    engine,
    pools: watchPools,
    measureJobs: () => measureJobs(queue),
    countDesigns: designs.countByState,
    async countDeadJobs() {
      const dead = await createDeadJobStore(database, clock).countDeadJobs();
      return new Map([...jobNames.map((name) => [name, 0] as const), ...dead]);
    },
    measureSpace: space.measureSpace,
    measureBlobs: () => evictor?.measureUse(),
    findObstacles: listObstacles,
  });
  return { metrics, findObstacles: listObstacles };
}

const jobNames = [
  cutoutJob,
  improvementJob,
  remoteCallJob,
  aheadJob,
  paintingJob,
  batchItemJob,
  deliveryJob,
] as const;

async function measureJobs(queue: Queue) {
  const measures = jobNames.map(async (name) => {
    const [count, oldest] = await Promise.all([queue.count(name), queue.findOldest(name)]);
    return [name, { count, oldestS: oldest ? Math.max(0, clock() - oldest.getTime()) / 1000 : 0 }] as const;
  });
  return new Map(await Promise.all(measures));
}

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Logs background work, which request logs do not cover. */
export function createReports() {
  let log: Log | undefined;
  return {
    /** Errors that are reported before this call go to standard error. */
    useLog(its: Log): void {
      log = its;
    },
    /** Returns a function that reports errors of background work. */
    reportTo: (where: string) => (error: unknown) => {
      if (log) log.error({ err: error, where }, 'background work failed');
      else process.stderr.write(`${where}: ${inspect(error)}\n`);
    },
    reportCut: (design: string, steps: readonly StepTiming[]): void => log?.info({ design, steps }, 'cutout'),
    reportDelivery: (facts: object): void => log?.info(facts, 'webhook'),
    reportPainting: (facts: object): void => log?.info(facts, 'painting'),
    reportUnanswered: (question: UnansweredQuestion): void =>
      log?.warn(question, 'planner model unavailable'),
  };
}
