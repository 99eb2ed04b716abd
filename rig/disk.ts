/**
 * Runs the service on a disk of its own that gets full or read-only: the service must return clear errors, lose no data
 * and recover quickly.
 */
import { spawnSync } from 'node:child_process';
import { open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProblemFault, Tally } from './answers.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { formWith, type OwnService, unhurried, untilReady, white } from './service.ts';

const diskMiB = 48;
const recoveryMs = 10_000;
/** A service that has not recovered after this time, in ms, fails the check. Full runs allow only `recoveryMs`. */
const patienceMs = 60_000;
/** Acceptable statuses while the service cannot store anything. */
const rightRefusals = [503, 504, 507];
/** Counts all of these refusals together: the status depends on whether a file or the database fails first. */
const countRefused = (answers: Tally): number =>
  rightRefusals.reduce((sum, status) => sum + answers.count(status), 0);

export async function checkDisk(run: Run): Promise<void> {
  const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], {
    stdio: 'ignore',
  });
  if (mounts.status !== 0) {
    run.skip(
      'a full and a read-only disk',
      'this user may not create a mount namespace, so there is no disk to fill',
    );
    return;
  }
  // The first service refuses uploads while less than its reserve is free. The second has no reserve, so its writes
  // fail when the disk is full.
  await checkFull(run, 'full up to the reserve', {});
  await checkFull(run, 'full to the last byte', { MIN_FREE_BYTES: '0' });
  await checkReadOnly(run);
}

async function startOnDisk(run: Run, environment: Record<string, string>): Promise<OwnService> {
  const dataDir = await run.newFolder();
  const mount = `mount -t tmpfs -o size=${diskMiB}m tmpfs "${dataDir}" && exec "$@"`;
  const service = await run.startOwn(
    { ...environment, ...unhurried, DRAW_AHEAD: 'off', MAX_WAITING_CUTOUTS: '10000' },
    { dataDir, through: ['unshare', '-rm', 'sh', '-c', mount, 'sh'] },
  );
  await untilReady(service);
  return service;
}

const upload = async (service: OwnService, photo: Buffer): Promise<Response> =>
  service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo) });

async function note(
  response: Response,
  answers: Tally,
  faults: string[],
  acknowledged: string[],
): Promise<void> {
  answers.add(response.status);
  if (response.status === 200) {
    acknowledged.push(((await response.json()) as { id: string }).id);
    return;
  }
  const fault = await findProblemFault(response);
  if (fault) faults.push(fault);
  else if (!rightRefusals.includes(response.status)) faults.push(String(response.status));
}

async function checkFull(run: Run, what: string, environment: Record<string, string>): Promise<void> {
  const service = await startOnDisk(run, environment);
  const photo = await makePhoto({ width: 640, height: 480 });
  const [answers, faults, acknowledged] = [new Tally(), [] as string[], [] as string[]];
  for (let index = 0; index < 3; index++)
    await note(await upload(service, photo), answers, faults, acknowledged);
  const first = acknowledged[0]!;
  await service.call(`/v1/design/${first}?wait=true`);

  const filler = join(`/proc/${service.child.pid}/root`, service.dataDir, 'filler');
  const filling = fill(filler);
  // Make many uploads, so that the disk gets full at different points of an upload.
  const uploads = Array.from({ length: 4 }, async () => {
    for (let index = 0; index < 10; index++)
      await note(await upload(service, photo), answers, faults, acknowledged);
  });
  await Promise.all([filling, ...uploads]);
  await fill(filler);
  for (let index = 0; index < 5; index++)
    await note(await upload(service, photo), answers, faults, acknowledged);
  const read = await service.call('/v1/design/preview.webp', { json: { id: first, ...white } });
  await read.arrayBuffer();
  run.bar(
    `${what}: answers to uploads`,
    '200, 503, 504, 507',
    [answers, ...new Set(faults)].join('; '),
    faults.length === 0 && countRefused(answers) > 0,
  );
  run.bar(`${what}: renders meanwhile`, '200', read.status, read.status === 200);

  await rm(filler);
  await judgeRecovery(run, service, what, acknowledged);
}

/** Writes to the file until the disk is full (ENOSPC). */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  const block = Buffer.alloc(256 * 1024);
  try {
    for (;;) {
      await file.write(block);
      await sleep(1);
    }
  } catch {
    // Fill the rest, which is smaller than a block, with ever smaller pieces.
    const { size } = await file.stat();
    await truncate(path, size);
    for (let bytes = 64 * 1024; bytes >= 1; bytes >>= 1)
      await file.write(Buffer.alloc(bytes)).catch(() => undefined);
  } finally {
    await file.close();
  }
}

async function judgeRecovery(
  run: Run,
  service: OwnService,
  what: string,
  acknowledged: string[],
): Promise<void> {
  const photo = await makePhoto();
  const startedAt = performance.now();
  let recovered = false;
  while (!recovered && performance.now() - startedAt < patienceMs) {
    const response = await upload(service, photo);
    recovered = response.status === 200;
    await response.arrayBuffer();
    if (!recovered) await sleep(100);
  }
  const tookMs = Math.round(performance.now() - startedAt);
  run.bar(`${what}: recovery without a restart`, 'yes', recovered ? 'yes' : 'no', recovered);
  run.fullBar('  after', '<= 10 s', `${tookMs} ms`, tookMs <= recoveryMs);
  const renders = new Tally();
  for (const id of acknowledged) {
    const response = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
    await response.arrayBuffer();
    renders.add(response.status);
  }
  run.bar(
    `${what}: acknowledged uploads that render`,
    'all',
    `${renders} of ${acknowledged.length}`,
    renders.count(200) === acknowledged.length,
  );
}

async function checkReadOnly(run: Run): Promise<void> {
  const what = 'read-only';
  const service = await startOnDisk(run, {});
  const inside = (...words: string[]) =>
    spawnSync('nsenter', ['-t', String(service.child.pid), '-U', '-m', '--preserve-credentials', ...words])
      .status === 0;
  const photo = await makePhoto();
  const [answers, faults, acknowledged] = [new Tally(), [] as string[], [] as string[]];
  for (let index = 0; index < 3; index++)
    await note(await upload(service, photo), answers, faults, acknowledged);
  await service.call(`/v1/design/${acknowledged[0]}?wait=true`);
  const { dataDir } = service;
  // Add a second, read-only mount over the first: files that are already open stay writable, as on a real disk that
  // is about to fail.
  if (!inside('mount', '--bind', dataDir, dataDir) || !inside('mount', '-o', 'remount,bind,ro', dataDir)) {
    run.skip(what, 'nsenter may not change the mounts of the service');
    return;
  }
  for (let index = 0; index < 5; index++)
    await note(await upload(service, photo), answers, faults, acknowledged);
  const read = await service.call('/v1/design/preview.webp', { json: { id: acknowledged[0], ...white } });
  await read.arrayBuffer();
  run.bar(
    `${what}: answers to uploads`,
    '503, 504, 507',
    [answers, ...new Set(faults)].join('; '),
    faults.length === 0 && countRefused(answers) === 5,
  );
  run.bar(`${what}: renders meanwhile`, '200', read.status, read.status === 200);
  // Not `umount`, which fails while the service has a file of the second mount open.
  if (!inside('mount', '-o', 'remount,bind,rw', dataDir)) throw new Error(`${dataDir} stays read-only`);
  await judgeRecovery(run, service, what, acknowledged);
}
