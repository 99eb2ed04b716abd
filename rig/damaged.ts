/**
 * Truncates, empties, zeroes or removes files of the store while the service runs: either calls get the correct error,
 * or the service repairs the file; a 500 is never allowed.
 */
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProblemFault, Tally } from './answers.ts';
import { makePhoto, readMiddle } from './photos.ts';
import type { Run } from './run.ts';
import { type OwnService, unhurried, untilReady, white } from './service.ts';

const harms = {
  'cut in half': async (path: string) => truncate(path, (await stat(path)).size >> 1),
  zeroed: async (path: string) => writeFile(path, Buffer.alloc((await stat(path)).size)),
  emptied: (path: string) => truncate(path, 0),
  gone: (path: string) => rm(path),
} as const;

export async function checkDamaged(run: Run): Promise<void> {
  const service = await run.startOwn({ ...unhurried, DRAW_AHEAD: 'off' });
  await untilReady(service);
  const healthy = await makeReady(service);
  for (const [harm, harmFile] of Object.entries(harms)) {
    for (const part of ['cutout', 'matte', 'source']) {
      const id = await makeReady(service);
      const files = (await listFiles(service, id)).filter((path) => path.includes(`/${part}`));
      if (files.length === 0) throw new Error(`no ${part} below ${service.dataDir}`);
      for (const path of files) await harmFile(path);
      await judge(run, service, id, `${part} ${harm}`);
    }
  }
  await checkSourceBeforeCutout(run, service);
  const { status } = await service.call('/v1/design/preview.webp', { json: { id: healthy, ...white } });
  run.bar('other designs', '200', status, status === 200);
}

async function makeReady(service: OwnService): Promise<string> {
  const id = await service.upload(await makePhoto());
  await (await service.call(`/v1/design/${id}?wait=true`)).arrayBuffer();
  return id;
}

async function listFiles({ dataDir }: OwnService, id: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(id));
}

/** Makes every call that may read a damaged file, twice. */
async function judge(run: Run, service: OwnService, id: string, what: string): Promise<void> {
  const answers = new Tally();
  const faults: string[] = [];
  const calls = [
    () => service.call('/v1/design/preview.webp', { json: { id, ...white } }),
    () => service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
    () => service.call(`/v1/design/${id}/cutout.png`),
    () => service.call(`/v1/design/${id}/cutout.webp`),
    () => service.call(`/v1/design/${id}/matte.png`),
    () => service.call(`/v1/design/${id}`),
  ];
  for (const call of [...calls, ...calls]) {
    const response = await call();
    answers.add(response.status);
    if (response.status === 200) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      const isPicture = response.headers.get('content-type')?.startsWith('image/');
      if (isPicture) await readMiddle(bytes).catch(() => faults.push('200 with a broken picture'));
    } else {
      const fault = await findProblemFault(response);
      if (fault) faults.push(fault);
    }
  }
  const holds = faults.length === 0 && answers.count(500) === 0;
  run.bar(`a stored ${what}`, 'no 500, no broken picture', [answers, ...new Set(faults)].join('; '), holds);
}

/** Queues many photos, and damages the last photo before its cutout is made. */
async function checkSourceBeforeCutout(run: Run, service: OwnService): Promise<void> {
  const photo = await makePhoto({ width: 1600, height: 1200 });
  const ids = await Promise.all(Array.from({ length: 8 }, () => service.upload(photo)));
  const id = ids.at(-1)!;
  for (const path of (await listFiles(service, id)).filter((file) => file.includes('/source'))) {
    await harms['cut in half'](path);
  }
  const { status } = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
  // The status is 200 if the cutout was made before the damage.
  run.bar('a source cut in half before its cutout', '422 or 200', status, status === 422 || status === 200);
  for (const other of ids.slice(0, -1)) {
    const response = await service.call('/v1/design/preview.webp', { json: { id: other, ...white } });
    if (response.status !== 200) run.bar('photos queued before it', '200', response.status, false);
  }
}
