/** Retries a dead job (one that failed permanently), and undoes the records of its failure. */
import { batchItemJob } from '../../batches/accept-batch.ts';
import { improvementJob } from '../../cutouts/improve-cutout.ts';
import { cutoutJob } from '../../designs/create-design.ts';
import type { DesignStore } from '../../designs/design-store.ts';
import { deliveryJob } from '../../events/delivery-tries.ts';
import { paintingJob } from '../../illustrations/painting/paint-illustration.ts';
import { aheadJob } from '../../illustrations/prerender.ts';
import type { DeadJob, DeadJobStore } from '../../jobs/dead-jobs.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Database } from '../../storage/database.ts';
import { transact } from '../../storage/transact.ts';

interface ServerDependencies {
  readonly database: Database;
  readonly queue: Queue;
  readonly designs: DesignStore;
  readonly deadJobs: DeadJobStore;
}

export interface RetryOutcome {
  readonly retried: boolean;
  readonly words: string;
}

/** Jobs that are not retried, because their failure settled the outcome. Each text states it, or what to do instead. */
const elsewhere: Readonly<Record<string, string>> = {
  [batchItemJob]: 'its batch has recorded it as failed; send the item again in a new batch',
  [deliveryJob]: 'use `packshot webhooks replay --failed`',
  [improvementJob]: 'the design keeps its current cutout; upload the photo again for a better one',
  [paintingJob]: 'POST /v1/design/suggest makes new pictures',
};

export async function retryDeadJob(job: DeadJob, stores: ServerDependencies): Promise<RetryOutcome> {
  const { database, queue, deadJobs } = stores;
  if (job.name !== cutoutJob && job.name !== aheadJob) {
    const way = elsewhere[job.name] ?? 'its caller has already received a response';
    return { retried: false, words: `${job.id} not retried: ${way}.` };
  }
  const isOpen = await transact(database, async (transaction) => {
    await deadJobs.forgetDeadJobs({ id: job.id }, transaction);
    if (job.name === cutoutJob && !(await stores.designs.reopenDesign(job.key, transaction))) return false;
    await queue.enqueue(job.name, job.key, transaction);
    return true;
  });
  if (!isOpen)
    return {
      retried: false,
      words: `${job.id} deleted: ${job.key} does not exist any more, or is no longer failed.`,
    };
  queue.wake();
  return { retried: true, words: `${job.id} queued again: ${job.name} of ${job.key}.` };
}
