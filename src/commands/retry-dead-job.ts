/** Takes up a job again that was given up, with all that its giving up has settled. */
import { batchItemJob } from '../batches/run-batches.ts';
import { improvementJob } from '../cutout/cut.ts';
import { cutoutJob } from '../designs/create-design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { deliveryJob } from '../events/outbox.ts';
import type { DeadJob, DeadJobStore } from '../jobs/dead-jobs.ts';
import type { Queue } from '../jobs/queue.ts';
import { aheadJob } from '../scenes/draw-ahead.ts';
import { paintingJob } from '../scenes/paint-illustration.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';

interface Rooms {
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

/** What has settled its own rows is asked for anew where it was asked for first, so that it is charged and told of once. */
const elsewhere: Readonly<Record<string, string>> = {
  [batchItemJob]: 'its batch counts it as failed; POST the item again in a new batch',
  [deliveryJob]: '`packshot webhooks replay --failed` sends it again',
  [improvementJob]: 'the design keeps the cutout that it has; upload the photo again for a better one',
  [paintingJob]: 'POST /v1/design/suggest asks for new pictures',
};

export async function retryDeadJob(job: DeadJob, rooms: Rooms): Promise<RetryOutcome> {
  const { database, queue, deadJobs } = rooms;
  if (job.name !== cutoutJob && job.name !== aheadJob) {
    const way = elsewhere[job.name] ?? 'whoever asked for it has had an answer';
    return { retried: false, words: `${job.id} stays dead: ${way}.` };
  }
  const isOpen = await transact(database, async (transaction) => {
    await deadJobs.forgetDeadJobs({ id: job.id }, transaction);
    if (job.name === cutoutJob && !(await rooms.designs.reopenDesign(job.key, transaction))) return false;
    await queue.enqueue(job.name, job.key, transaction);
    return true;
  });
  if (!isOpen)
    return { retried: false, words: `${job.id} is forgotten: ${job.key} is gone, or not failed any more.` };
  queue.wake();
  return { retried: true, words: `${job.id} is in line again: ${job.name} of ${job.key}.` };
}
