/**
 * The service's metrics for Prometheus. Every label has a small, fixed set of values: names of operations,
 * steps, pools, states; never a key, an id or a path. The labels `job` and `instance` are not used here,
 * because Prometheus sets them.
 */

import type { StepTiming } from 'packshot-pixels';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { measureProcessTree } from './process-tree.ts';

export interface WatchedPool {
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
  readonly crashes: number;
}

/** Called at each scrape. If a source fails, its series are omitted from that scrape. */
export interface MetricSources {
  readonly version: string;
  /** Id of the illustration engine; undefined without one. */
  readonly engine: string | undefined;
  readonly pools: () => Readonly<Record<string, WatchedPool>>;
  /** Number of waiting and running jobs, and the age of the oldest one in seconds, by job name. */
  readonly measureJobs: () => Promise<
    ReadonlyMap<string, { readonly count: number; readonly oldestS: number }>
  >;
  readonly countDesigns: () => Promise<ReadonlyMap<string, number>>;
  /** Number of dead jobs, by job name. */
  readonly countDeadJobs: () => Promise<ReadonlyMap<string, number>>;
  /** Undefined if pictures are not stored on a local disk. */
  readonly measureSpace: () => Promise<
    { readonly freeBytes: number; readonly totalBytes: number } | undefined
  >;
  /** Total bytes of stored pictures. Undefined if they are not counted. */
  readonly measureBlobs: () =>
    | {
        readonly usedBytes: number | undefined;
        readonly budgetBytes: number | undefined;
        /** Bytes evicted since the process started. */
        readonly evictedBytes: number;
      }
    | undefined;
  readonly findObstacles: () => Promise<readonly string[]>;
}

export interface AnsweredRequest {
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  /** `Server-Timing` header of the response, if it has one. */
  readonly steps: string | undefined;
}

export interface EngineCallFacts {
  readonly engine: string;
  readonly outcome: string;
  readonly costUsd: number | undefined;
}

/** The buckets range from a cached response to a full version that took its whole deadline. */
const requestBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];
const stepBucketsS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'packshot_request_duration_seconds',
    help: 'Completed requests; status 499: client disconnected.',
    labelNames: ['operation', 'status'],
    buckets: requestBucketsS,
    registers,
  });
  const steps = new Histogram({
    name: 'packshot_step_duration_seconds',
    help: 'Steps of cutouts and renders, named after their source files.',
    labelNames: ['work', 'step'],
    buckets: stepBucketsS,
    registers,
  });
  const engineCalls = new Counter({
    name: 'packshot_engine_calls_total',
    help: 'Calls to the illustration engine.',
    labelNames: ['engine', 'outcome'],
    registers,
  });
  const engineCosts = new Counter({
    name: 'packshot_engine_cost_usd_total',
    help: 'Cost of calls to the illustration engine, as the engine reports it, or else ILLUSTRATION_PRICE_USD per call.',
    labelNames: ['engine'],
    registers,
  });
  addWatchedGauges(sources, registry);
  // A series that begins above 0 hides its first increase from `rate()`.
  if (sources.engine !== undefined) {
    for (const outcome of ['answered', 'failed']) engineCalls.inc({ engine: sources.engine, outcome }, 0);
    engineCosts.inc({ engine: sources.engine }, 0);
  }

  return {
    observeRequest({ operation, status, durationMs, steps: header }: AnsweredRequest): void {
      requests.observe({ operation, status: String(status) }, durationMs / 1000);
      for (const { step, durationMs: ms } of renderSteps(header ?? '')) {
        steps.observe({ work: 'render', step }, ms / 1000);
      }
    },

    observeCutout(timings: readonly StepTiming[]): void {
      for (const { step, durationMs } of timings) steps.observe({ work: 'cutout', step }, durationMs / 1000);
    },

    observeEngineCall({ engine, outcome, costUsd }: EngineCallFacts): void {
      // The reason of a failure is free text, which would create an unbounded number of label values.
      engineCalls.inc({ engine, outcome: outcome === 'answered' ? outcome : 'failed' });
      if (costUsd) engineCosts.inc({ engine }, costUsd);
    },

    async readMetrics(): Promise<{ readonly contentType: string; readonly text: string }> {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function addWatchedGauges(sources: MetricSources, registry: Registry): void {
  const registers = [registry];
  /** A gauge whose values are read at each scrape. */
  const gauge = (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly (readonly [labels: Record<string, string>, value: number])[]>,
  ) =>
    new Gauge({
      name: `packshot_${name}`,
      help,
      labelNames: labels,
      registers,
      async collect() {
        this.reset();
        // An unavailable database must not hide the other metrics; `packshot_ready` reports it.
        for (const [label, value] of await read().catch(() => [])) this.set(label, value);
      },
    });
  const byPool = (property: keyof WatchedPool) => async () =>
    Object.entries(sources.pools()).map(([pool, state]) => [{ pool }, state[property]] as const);

  gauge('build_info', 'Always 1.', ['version', 'node'], async () => [
    [{ version: sources.version, node: process.versions.node }, 1],
  ]);
  gauge('ready', '1 while /readyz answers 200.', [], async () => [
    [{}, (await sources.findObstacles()).length === 0 ? 1 : 0],
  ]);
  gauge('pool_size', 'Maximum number of child processes.', ['pool'], byPool('size'));
  gauge('pool_busy', 'Child processes with a task.', ['pool'], byPool('busy'));
  gauge('pool_waiting', 'Tasks waiting for a child process.', ['pool'], byPool('waiting'));
  gauge('pool_crashes', 'Child processes that crashed or hung since the start.', ['pool'], byPool('crashes'));
  gauge('jobs', 'Waiting and running jobs.', ['queue'], async () =>
    [...(await sources.measureJobs())].map(([queue, { count }]) => [{ queue }, count]),
  );
  gauge('oldest_job_age_seconds', 'Age of the oldest job.', ['queue'], async () =>
    [...(await sources.measureJobs())].map(([queue, { oldestS }]) => [{ queue }, oldestS]),
  );
  gauge('dead_jobs', 'Failed jobs; `packshot jobs list --dead` shows why.', ['queue'], async () =>
    [...(await sources.countDeadJobs())].map(([queue, count]) => [{ queue }, count]),
  );
  gauge('designs', 'Stored designs.', ['state'], async () =>
    [...(await sources.countDesigns())].map(([state, count]) => [{ state }, count]),
  );
  gauge('disk_bytes', "Free and total bytes of the data folder's disk.", ['kind'], async () => {
    const space = await sources.measureSpace();
    return space
      ? [
          [{ kind: 'free' }, space.freeBytes],
          [{ kind: 'total' }, space.totalBytes],
        ]
      : [];
  });
  gauge('blob_bytes', 'Bytes of stored pictures: used, budget, evicted.', ['kind'], async () => {
    const { usedBytes: used, budgetBytes: budget, evictedBytes: evicted } = sources.measureBlobs() ?? {};
    return Object.entries({ used, budget, evicted }).flatMap(([kind, bytes]) =>
      bytes === undefined ? [] : [[{ kind }, bytes] as const],
    );
  });
  gauge('resident_bytes', 'Memory of the service and its child processes.', ['process'], async () =>
    [...(await measureProcessTree())].map(([process, bytes]) => [{ process }, bytes]),
  );
}

/**
 * Steps of a render, without the steps of a cutout that the render waited for: those were observed when the cutout
 * was made.
 */
function renderSteps(header: string): StepTiming[] {
  const all = [...header.matchAll(/([\w-]+);dur=([\d.]+)/g)].map(([, step = '', ms]) => ({
    step,
    durationMs: Number(ms),
  }));
  const joined = all.findIndex(({ step }) => step === 'join-cutout');
  return joined < 0 ? [] : all.slice(joined);
}
