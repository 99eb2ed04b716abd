/** Takes up a job again that was given up, with all that its giving up has settled. */
import { batchItemJob } from '../../batches/accept-batch.ts';
import { improvementJob } from '../../cutout/cut.ts';
import { cutoutJob } from '../../designs/create-design.ts';
import type { DesignStore } from '../../designs/design-store.ts';
import { deliveryJob } from '../../events/outbox.ts';
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
  /** For people. */
  readonly words: string;
}

/** Jobs that settled their own rows are requested again at their origin, so that they are charged and reported once. */
const elsewhere: Readonly<Record<string, string>> = {
  [batchItemJob]: 'its batch counts it as failed; send the item again in a new batch',
  [deliveryJob]: 'use `packshot webhooks replay --failed`',
  [improvementJob]: 'the design keeps its present cutout; upload the photo again for a better one',
  [paintingJob]: 'POST /v1/design/suggest makes new pictures',
};

export async function retryDeadJob(job: DeadJob, rooms: ServerDependencies): Promise<RetryOutcome> {
  const { database, queue, deadJobs } = rooms;
  if (job.name !== cutoutJob && job.name !== aheadJob) {
    const way = elsewhere[job.name] ?? 'its caller already has an answer';
    return { retried: false, words: `${job.id} not retried: ${way}.` };
  }
  const isOpen = await transact(database, async (transaction) => {
    await deadJobs.forgetDeadJobs({ id: job.id }, transaction);
    if (job.name === cutoutJob && !(await rooms.designs.reopenDesign(job.key, transaction))) return false;
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
