/** Background work in every process except api processes: jobs and sweeps. */
import { createDeadJobStore } from '../jobs/dead-jobs.ts';
import { takeTurn, touchMarker } from '../storage/cluster-state.ts';
import type { Foundation } from './foundation.ts';
import { handleRemoteTasks } from './remote-tasks.ts';
import type { Services } from './services.ts';

const sweepEveryMs = 3_600_000;
/** Tolerance for differences between the timers of several processes. */
const sweepSlackMs = 60_000;
/** Credits held by a killed process are refunded after 15 minutes plus at most this interval. */
const giveBackEveryMs = 300_000;

/**
 * Starts jobs and sweeps. Once the queue is closing, call `stop`, which prevents further sweeps and aborts work that no
 * caller is waiting for.
 */
export function startBackground(foundation: Foundation, services: Services): { stop(): void } {
  const { config, evictor, reports } = foundation;
  services.cutouts.work();
  services.improver.work();
  services.painter?.work();
  services.ahead?.work();
  services.batches.work();
  foundation.deliverer.work();
  evictor?.work();
  // Remote calls come from other processes, which exist only with PostgreSQL. This process serves its own callers
  // directly.
  if (foundation.kind === 'postgres') {
    // Take one call more than there are child processes, so that no child is idle between two calls.
    foundation.remoteCalls.answerCalls(handleRemoteTasks(services), config.rendering.workers + 1);
  }
  const sweep = () => sweepAll(foundation, services).catch(reports.reportTo('sweeper'));
  const sweeping = setInterval(sweep, sweepEveryMs).unref();
  void sweep();
  const giveBack = () =>
    foundation.credits.sweepCharges({ atStart: false }).catch(reports.reportTo('credits'));
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
async function sweepAll(foundation: Foundation, services: Services): Promise<void> {
  const { kind, database, blobs, clock } = foundation;
  await foundation.tryAlone('sweep', async () => {
    // Only one worker sweeps in each hour, because a sweep lists all blobs.
    const turn = { everyMs: sweepEveryMs - sweepSlackMs, clock };
    if (kind === 'postgres' && !(await takeTurn(database, 'sweep', turn))) return;
    const sweeps = [
      services.eraser.sweepDesigns(),
      services.backdrops.sweepBackdrops(),
      services.batches.sweepBatches(),
      foundation.outbox.sweepEvents(),
      foundation.remoteCalls.sweepCalls(),
      foundation.idempotency.sweepAnswers({ atStart: false }),
      foundation.usage.sweepEngineCalls(),
      createDeadJobStore(database, clock).sweepDeadJobs(),
      foundation.sharedRates?.sweepRates(),
      touchMarker(database, blobs),
    ];
    await Promise.all(sweeps.map((sweep) => sweep?.catch(foundation.reports.reportTo('sweeper'))));
  });
}
