/** The work of jobs and of the sweeper, in every process that is to do it. */
import type { CreditStore } from '../accounts/credit-store.ts';
import type { IdempotencyStore } from '../accounts/idempotency-store.ts';
import type { SharedRates } from '../accounts/shared-rates.ts';
import type { UsageStore } from '../accounts/usage-store.ts';
import type { BatchRunner } from '../batches/run-batches.ts';
import type { Config } from '../config.ts';
import type { DeadJobStore } from '../jobs/dead-jobs.ts';
import { renewMark, takeTurn } from '../storage/service-facts.ts';
import type { Conductors } from './conductors.ts';
import { doErrands } from './errands.ts';
import type { Events } from './events.ts';
import type { House } from './house.ts';

const sweepEveryMs = 3_600_000;
/** Timers of several processes are not quite as long as each other. */
const sweepSlackMs = 60_000;
/** What a killed process held of its callers' credits is theirs again after a quarter of an hour, and no more than this. */
const giveBackEveryMs = 300_000;

interface Parts extends Pick<House, 'kind' | 'database' | 'blobs' | 'errands' | 'evictor' | 'tryAlone'> {
  readonly conductors: Conductors;
  readonly events: Pick<Events, 'deliverer' | 'sweepEvents'>;
  readonly batches: BatchRunner;
  readonly idempotency: IdempotencyStore;
  readonly credits: CreditStore;
  readonly usage: UsageStore;
  readonly deadJobs: DeadJobStore;
  /** Undefined where one process counts for itself. */
  readonly sharedRates: SharedRates | undefined;
  readonly reportError: (error: unknown, where: string) => void;
}

/** Takes jobs from now on. `stop` ends what nobody waits for, once the queue is closing. */
export function startWork(config: Config, parts: Parts): { stop(): void } {
  const { conductors, events, batches, errands, evictor } = parts;
  conductors.cutouts.work();
  conductors.improver.work();
  conductors.painter?.work();
  conductors.ahead?.work();
  batches.work();
  events.deliverer.work();
  evictor?.work();
  // Callers of other processes only: those of this one are served where they are.
  if (config.storage.database.kind === 'postgres') {
    // One more than there are processes, so that none of them stands still between two errands.
    errands.work(doErrands(conductors), config.rendering.workers + 1);
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
      conductors.ahead?.close();
      conductors.improver.close();
    },
  };
}

/** Each on its own: one that fails keeps none of the others from their work. */
async function sweepAll(parts: Parts): Promise<void> {
  const { conductors, events, batches, errands, idempotency, usage, reportError } = parts;
  await parts.tryAlone('sweep', async () => {
    // Of many workers one in the hour: each sweep walks all blobs.
    const turn = { everyMs: sweepEveryMs - sweepSlackMs, clock: Date.now };
    if (parts.kind === 'postgres' && !(await takeTurn(parts.database, 'sweep', turn))) return;
    const sweeps = [
      conductors.eraser.sweepDesigns(),
      conductors.backdrops.sweepBackdrops(),
      batches.sweepBatches(),
      events.sweepEvents(),
      errands.sweepErrands(),
      idempotency.sweepAnswers({ atStart: false }),
      usage.sweepEngineCalls(),
      parts.deadJobs.sweepDeadJobs(),
      parts.sharedRates?.sweepRates(),
      renewMark(parts.database, parts.blobs),
    ];
    await Promise.all(sweeps.map((sweep) => sweep?.catch((error) => reportError(error, 'sweeper'))));
  });
}
