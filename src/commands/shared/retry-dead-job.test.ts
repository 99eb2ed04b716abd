import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../../designs/testing/design-house.ts';
import { createDeadJobStore, type DeadJob, type DeadJobStore } from '../../jobs/dead-jobs.ts';
import { retryDeadJob } from './retry-dead-job.ts';

let house: DesignHouse;
let deadJobs: DeadJobStore;
beforeEach(async () => {
  house = await openDesignHouse();
  deadJobs = createDeadJobStore(house.database, () => house.clock.now);
});
afterEach(() => house.close());

/** Stores a dead job, and returns it as it was stored. */
async function die(name: string, key: string): Promise<DeadJob> {
  const job = { id: `job_${key}`, name, key, attempts: 2, createdAt: new Date(house.clock.now) };
  await deadJobs.noteDeath(job, new Error('out of memory'), house.database);
  return (await deadJobs.listDeadJobs({ id: job.id }))[0]!;
}

/** Stores a design whose cutout job has failed permanently and was deleted. */
async function failDesign(id: string): Promise<void> {
  await house.insertDesign(id);
  await house.database.deleteFrom('jobs').execute();
  await house.designs.markFailed(id, { code: 'image_undecodable', detail: 'no' });
}

const retry = (job: DeadJob) => retryDeadJob(job, { ...house, deadJobs });

describe('retrying a dead job', () => {
  it('enqueues the cutout of a failed design, whose state is then `processing`', async () => {
    await failDesign('dsg_a');
    const outcome = await retry(await die('cutout', 'dsg_a'));
    expect(outcome).toMatchObject({ retried: true });
    expect(await house.designs.findDesign('dsg_a')).toMatchObject({ state: 'processing' });
    expect(await house.queue.listKeys('cutout', '')).toEqual(['dsg_a']);
    expect(await deadJobs.listDeadJobs()).toEqual([]);
    const done: string[] = [];
    house.queue.work('cutout', {
      concurrency: 1,
      maxAttempts: 1,
      run: async (key) => void done.push(key),
      giveUp: async () => undefined,
    });
    await vi.waitFor(() => expect(done).toEqual(['dsg_a']));
  });

  it('deletes a job whose design no longer exists', async () => {
    const outcome = await retry(await die('cutout', 'dsg_gone'));
    expect(outcome).toMatchObject({ retried: false, words: expect.stringContaining('does not exist') });
    expect(await deadJobs.listDeadJobs()).toEqual([]);
    expect(await house.queue.count('cutout')).toBe(0);
  });

  it('does not retry jobs whose outcome is settled, and says what happened or how to request the work again', async () => {
    for (const [name, way] of Object.entries({
      deliver: 'webhooks replay',
      paint: '/v1/design/suggest',
      'batch-item': 'a new batch',
      'remote-call': 'a response',
    })) {
      const { retried, words } = await retry(await die(name, `key-of-${name}`));
      expect(retried).toBe(false);
      expect(words).toContain(way);
      expect(await house.queue.count(name)).toBe(0);
    }
    expect(await deadJobs.listDeadJobs()).toHaveLength(4);
  });
});
