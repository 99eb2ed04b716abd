import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createDeadJobStore, type DeadJobStore } from './dead-jobs.ts';

const dayMs = 86_400_000;

let opened: TemporaryDatabase;
let deadJobs: DeadJobStore;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = 100 * dayMs;
  deadJobs = createDeadJobStore(opened.database, () => now);
});
afterEach(() => opened.close());

const die = (id: string, error: unknown = new Error('broken'), name = 'cutout') =>
  deadJobs.noteDeath(
    { id, name, key: `key of ${id}`, attempts: 2, createdAt: new Date(now - 5_000) },
    error,
    opened.database,
  );
const listIds = async () => (await deadJobs.listDeadJobs()).map(({ id }) => id);
const wordsOf = async (id: string) => (await deadJobs.listDeadJobs({ id }))[0]?.error;

describe('jobs that failed permanently', () => {
  it('are listed with their key and their error, most recent first', async () => {
    await die('a');
    now += 1_000;
    await die('b', new Error('broken'), 'paint');
    expect(await listIds()).toEqual(['b', 'a']);
    expect(await deadJobs.listDeadJobs({ name: 'cutout' })).toEqual([
      {
        id: 'a',
        name: 'cutout',
        key: 'key of a',
        attempts: 2,
        error: 'Error: broken',
        createdAt: new Date(now - 6_000),
        diedAt: new Date(now - 1_000),
      },
    ]);
  });

  it('have errors without paths, addresses or secrets, of at most 500 characters', async () => {
    await die('a', new Error("ENOENT: no such file, open '/var/lib/packshot/designs/dsg_1/source'"));
    expect(await wordsOf('a')).toBe("Error: ENOENT: no such file, open '…'");
    await die('b', new Error('connect postgres://me:secret@db.internal:5432/rows failed'));
    expect(await wordsOf('b')).toBe('Error: connect … failed');
    await die('c', new Error('x'.repeat(2_000)));
    expect(await wordsOf('c')).toHaveLength(500);
    await die('d', 'no error at all');
    expect(await wordsOf('d')).toBe('an unknown error');
    await die('e', new PackshotError('internal', 'The weights are damaged.'));
    expect(await wordsOf('e')).toBe('internal: The weights are damaged.');
  });

  it('are not recorded if the failure was the fault of the job’s input', async () => {
    await die('a', new PackshotError('no_subject_found', 'There is no product.'));
    expect(await listIds()).toEqual([]);
  });

  it('are recorded only once, even if noted twice', async () => {
    await die('a');
    await die('a');
    expect(await listIds()).toEqual(['a']);
  });

  it('are deleted by id, by name, or all at once', async () => {
    for (const id of ['a', 'b']) await die(id);
    for (const id of ['c', 'd']) await die(id, new Error('broken'), 'paint');
    expect(await deadJobs.forgetDeadJobs({ id: 'a' })).toBe(1);
    expect(await deadJobs.forgetDeadJobs({ id: 'a' })).toBe(0);
    expect(await deadJobs.forgetDeadJobs({ name: 'paint' })).toBe(2);
    expect(await listIds()).toEqual(['b']);
    expect(await deadJobs.forgetDeadJobs({})).toBe(1);
  });

  it('are deleted automatically after 30 days', async () => {
    await die('old');
    now += 29 * dayMs;
    await die('new');
    await deadJobs.sweepDeadJobs();
    expect(await listIds()).toEqual(['new', 'old']);
    now += dayMs;
    await deadJobs.sweepDeadJobs();
    expect(await listIds()).toEqual(['new']);
  });

  it('are limited to the newest 10,000', async () => {
    const rows = Array.from({ length: 10_001 }, (_, i) => ({
      id: `job_${i}`,
      name: 'cutout',
      key: `${i}`,
      attempts: 1,
      error: 'Error',
      created_at: 0,
      died_at: now + i,
    }));
    for (let i = 0; i < rows.length; i += 1_000)
      await opened.database
        .insertInto('dead_jobs')
        .values(rows.slice(i, i + 1_000))
        .execute();
    await deadJobs.sweepDeadJobs();
    const left = await listIds();
    expect(left).toHaveLength(10_000);
    expect(left).not.toContain('job_0');
  });
});
