import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDeadJobStore } from '../../src/jobs/dead-jobs.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { packshot, packshotProcess } from './command.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf } from './service.ts';

const eventually = { timeout: 30_000, interval: 50 };

let dataDir: string;
let service: ServiceProcess;
let id: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-jobs-'));
  service = await spawnService(dataDir, { DRAW_AHEAD: 'off' });
  id = await service.upload(await cratePhoto());
  await vi.waitFor(async () => expect(await statusOf()).toBe('ready'), eventually);
});
afterAll(async () => {
  await endProcess(service.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const statusOf = async () => (await jsonOf(service.call(`/v1/design/${id}`))).status;

async function jobs(...words: string[]) {
  const { code, stdout, stderr } = await packshot(['jobs', ...words], { env: { DATA_DIR: dataDir } });
  return { code, stdout: stdout.toString(), stderr };
}

/** Writes the rows that remain after the cutout of a photo has run out of memory twice. */
async function killCutout(): Promise<void> {
  const { database, close } = await openDatabase({ kind: 'sqlite', dataDir });
  const failure = JSON.stringify({ code: 'image_undecodable', detail: 'It was tried twice.' });
  await database.updateTable('designs').set({ state: 'failed', failure }).where('id', '=', id).execute();
  const job = { id: 'job_dead', name: 'cutout', key: id, attempts: 2, createdAt: new Date() };
  await createDeadJobStore(database, Date.now).noteDeath(job, new Error('out of memory'), database);
  await close();
}

it('a cutout job that has failed for good is listed, and a retry makes the cutout', async () => {
  // The design is ready a moment before its job is deleted.
  const done = { code: 0, stdout: 'No jobs are queued.\n' };
  await vi.waitFor(async () => expect(await jobs()).toMatchObject(done), eventually);
  await killCutout();
  expect(await statusOf()).toBe('failed');
  const { stdout } = await jobs('list', '--dead', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'job_dead', key: id, error: 'Error: out of memory' }]);
  // By a separate process, as users do: the running service must notice.
  const retried = await packshotProcess(['jobs', 'retry', 'job_dead'], { env: { DATA_DIR: dataDir } });
  expect(retried).toMatchObject({ code: 0 });
  await vi.waitFor(async () => expect(await statusOf()).toBe('ready'), eventually);
  expect(await jobs('list', '--dead')).toMatchObject({ code: 0, stdout: 'No failed jobs.\n' });
});

it('jobs that have failed for good can be deleted, and an empty selection is refused', async () => {
  await killCutout();
  expect(await jobs('retry')).toMatchObject({ code: 1, stderr: expect.stringContaining('--all') });
  expect(await jobs('forget', 'job_other')).toMatchObject({ code: 1 });
  expect(await jobs('forget', '--all', '--name', 'paint')).toMatchObject({
    stdout: 'Deleted 0 failed jobs.\n',
  });
  expect(await jobs('forget', '--all')).toMatchObject({ code: 0, stdout: 'Deleted 1 failed job.\n' });
  expect(await statusOf()).toBe('failed');
});
