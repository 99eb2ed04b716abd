/** Background work in every process except api processes: jobs and sweeps. */
import type { CreditStore } from '../accounts/credit-store.ts';
import type { IdempotencyStore } from '../accounts/idempotency-store.ts';
import type { SharedRates } from '../accounts/shared-rates.ts';
import type { UsageStore } from '../accounts/usage-store.ts';
import type { Config } from '../config.ts';
import type { DeadJobStore } from '../jobs/dead-jobs.ts';
import { takeTurn, touchMarker } from '../storage/cluster-state.ts';
import type { Events } from './events.ts';
import type { Infrastructure } from './infrastructure.ts';
import { handleRemoteTasks } from './remote-tasks.ts';
import type { Services } from './services.ts';

const sweepEveryMs = 3_600_000;
/** Tolerance for differences between the timers of several processes. */
const sweepSlackMs = 60_000;
/** Credits held by a killed process are refunded after 15 minutes plus at most this interval. */
const giveBackEveryMs = 300_000;

interface Parts {
  readonly infrastructure: Pick<
    Infrastructure,
    'kind' | 'database' | 'blobs' | 'remoteCalls' | 'evictor' | 'tryAlone'
  >;
  readonly services: Services;
  readonly events: Pick<Events, 'deliverer' | 'sweepEvents'>;
  readonly idempotency: IdempotencyStore;
  readonly credits: CreditStore;
  readonly usage: UsageStore;
  readonly deadJobs: DeadJobStore;
  /** Undefined if rates are counted within one process. */
  readonly sharedRates: SharedRates | undefined;
  readonly reportError: (error: unknown, where: string) => void;
}

/**
 * Starts jobs and sweeps. Once the queue is closing, call `stop`, which prevents further sweeps and aborts work that no
 * caller is waiting for.
 */
export function startBackground(config: Config, parts: Parts): { stop(): void } {
  const { services, events } = parts;
  const { remoteCalls, evictor } = parts.infrastructure;
  services.cutouts.work();
  services.improver.work();
  services.painter?.work();
  services.ahead?.work();
  services.batches.work();
  events.deliverer.work();
  evictor?.work();
  // Remote calls come from other processes, which exist only with PostgreSQL. This process serves its own callers
  // directly.
  if (config.storage.database.kind === 'postgres') {
    // Take one call more than there are child processes, so that no child is idle between two calls.
    remoteCalls.answerCalls(handleRemoteTasks(services), config.rendering.workers + 1);
  }
  const sweep = () => sweepAll(parts).catch((error) => parts.reportError(error, 'sweeper'));
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  void sweep();
  const giveBack = () =>
    parts.credits.sweepCharges({ atStart: false }).catch((error) => parts.reportError(error, 'credits'));
  const givingBack = setInterval(giveBack, giveBackEveryMs).unref();
  return {
    stop() {
      clearInterval(sweeping);
      clearInterval(givingBack);
      evictor?.close();
      services.ahead?.close();
      services.improver.close();
    },
  };
}

/** Runs the sweeps independently: a failure of one does not stop the others. */
async function sweepAll(parts: Parts): Promise<void> {
  const { services, events, idempotency, usage, reportError } = parts;
  const { kind, database, blobs, remoteCalls, tryAlone } = parts.infrastructure;
  await tryAlone('sweep', async () => {
    // Only one worker sweeps in each hour, because a sweep lists all blobs.
    const turn = { everyMs: sweepEveryMs - sweepSlackMs, clock: Date.now };
    if (kind === 'postgres' && !(await takeTurn(database, 'sweep', turn))) return;
    const sweeps = [
      services.eraser.sweepDesigns(),
      services.backdrops.sweepBackdrops(),
      services.batches.sweepBatches(),
      events.sweepEvents(),
      remoteCalls.sweepCalls(),
      idempotency.sweepAnswers({ atStart: false }),
      usage.sweepEngineCalls(),
      parts.deadJobs.sweepDeadJobs(),
      parts.sharedRates?.sweepRates(),
      touchMarker(database, blobs),
    ];
    await Promise.all(sweeps.map((sweep) => sweep?.catch((error) => reportError(error, 'sweeper'))));
  });
}
