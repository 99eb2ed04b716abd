import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canHold, holdChildren, untilImaging } from '../../rig/held-processes.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf } from './service.ts';

let dataDir: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-scenes-'));
});
afterEach(async () => {
  if (running) await endProcess(running.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  running = await spawnService(dataDir, {
    DRAW_AHEAD: 'off',
    PREVIEW_DEADLINE_MS: '60000',
    FULL_DEADLINE_MS: '60000',
  });
  return running;
}

async function suggestOne(service: ServiceProcess, id: string) {
  const answer = await jsonOf(
    service.call('/v1/design/suggest', {
      // The pictures are wide, because wide pictures have fewer pixels to trace.
      json: { id, recipePreset: 'AI_STUDIO', filters: { aspectRatio: '16:9' } },
    }),
  );
  const { recipeId, variant, mutations } = answer.suggestedRecipeLists[0].recipes[0];
  return { id, recipeId, variant, mutations };
}

const render = async (service: ServiceProcess, json: object, file = 'preview.png') => {
  const response = await service.call(`/v1/design/${file}`, { json });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

async function findPlates(): Promise<string[]> {
  const files = await readdir(dataDir, { recursive: true });
  return files.filter((file) => /illustrations\/.*grounded-/.test(file)).map((file) => join(dataDir, file));
}

it('a restarted service returns the same bytes for the same scene, even if its drawn background was lost or is damaged', async () => {
  const first = await start();
  const json = await suggestOne(first, await first.upload(await cratePhoto()));
  const before = await render(first, json);
  await endProcess(first.child, 'SIGKILL');
  const second = await start();
  expect((await render(second, json)).equals(before)).toBe(true);
  const [plate, ...more] = await findPlates();
  expect(more).toEqual([]);
  await rm(plate!);
  expect((await render(second, json)).equals(before)).toBe(true);
  await writeFile(plate!, (await readFile(plate!)).subarray(0, 1_000));
  expect((await render(second, json)).equals(before)).toBe(true);
});

it.skipIf(!canHold)(
  'a service that was killed during rendering renders the scene again, and keeps no partial file',
  async () => {
    const first = await start();
    const json = await suggestOne(first, await first.upload(await cratePhoto()));
    const goOn = await holdChildren(first.child.pid!, 'imaging-worker');
    const cutOff = first.call('/v1/design/generated.png', { json }).catch(() => undefined);
    await untilImaging(first, 1);
    await endProcess(first.child, 'SIGKILL');
    goOn();
    await cutOff;
    expect(await findPlates()).toEqual([]);
    const picture = await render(await start(), json, 'generated.png');
    expect(await sharp(picture).metadata()).toMatchObject({ width: 2000, height: 1125, format: 'png' });
  },
);
