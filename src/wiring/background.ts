/** Background work, in every process but api ones: jobs and sweeps. */
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
/** Timers of several processes are not quite as long as each other. */
const sweepSlackMs = 60_000;
/** What a killed process held of its callers' credits is theirs again after a quarter of an hour, and no more than this. */
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
  /** Undefined where one process counts for itself. */
  readonly sharedRates: SharedRates | undefined;
  readonly reportError: (error: unknown, where: string) => void;
}

/** Takes jobs from now on. `stop` ends what nobody waits for, once the queue is closing. */
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
  // Callers of other processes only: those of this one are served where they are.
  if (config.storage.database.kind === 'postgres') {
    // One more than there are processes, so that none of them stands still between two calls.
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

/** Each on its own: one that fails keeps none of the others from their work. */
async function sweepAll(parts: Parts): Promise<void> {
  const { services, events, idempotency, usage, reportError } = parts;
  const { kind, database, blobs, remoteCalls, tryAlone } = parts.infrastructure;
  await tryAlone('sweep', async () => {
    // Of many workers one in the hour: each sweep walks all blobs.
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
