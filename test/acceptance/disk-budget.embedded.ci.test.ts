/** `DISK_BUDGET_BYTES`: plates (drawn backgrounds of scenes) are evicted to make room, and drawn again on request. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { packshot, packshotProcess } from './command.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, formWith, jsonOf, problemOf, white } from './service.ts';

let dataDir: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-budget-'));
});
afterEach(async () => {
  if (running) await endProcess(running.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
  running = await spawnService(dataDir, {
    DRAW_AHEAD: 'off',
    ...environment,
  });
  return running;
}

/** Returns request bodies for previews of `count` scenes. */
async function suggest(service: ServiceProcess, count: number): Promise<object[]> {
  const id = await service.upload(await cratePhoto());
  // The pictures are wide, because wide pictures have fewer pixels to trace.
  const json = { id, recipePreset: 'AI_STUDIO', filters: { aspectRatio: '16:9' } };
  const answer = await jsonOf(service.call('/v1/design/suggest', { json }));
  // biome-ignore lint/suspicious/noExplicitAny: a response whose properties the tests read.
  const recipes = answer.suggestedRecipeLists.flatMap((list: any) => list.recipes);
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return recipes.slice(0, count).map(({ recipeId, variant, mutations }: any) => ({
    id,
    recipeId,
    variant,
    mutations,
  }));
}

async function preview(service: ServiceProcess, json: object): Promise<Buffer> {
  const response = await service.call('/v1/design/preview.png', { json });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function filesOf(kind: RegExp): Promise<string[]> {
  const names = await readdir(join(dataDir, 'blobs'), { recursive: true });
  return names.filter((name) => kind.test(name)).sort();
}
const plates = /illustrations\/.*grounded-/;
const MiB = 1024 ** 2;
const kept = /(source|cutout\.png|matte\.png)$/;

async function bytesOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, 'blobs', name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Makes a file look as if it was last used `hours` hours ago. */
async function age(name: string, hours: number): Promise<void> {
  const then = Date.now() / 1000 - hours * 3600;
  await utimes(join(dataDir, 'blobs', name), then, then);
}

it('the least recently used plate is evicted, by another process, and is rendered again with the same pixels', async () => {
  const service = await start();
  const scenes = await suggest(service, 3);
  const before: Buffer[] = [];
  const drawn: string[] = [];
  for (const scene of scenes) {
    before.push(await preview(service, scene));
    const all = await filesOf(plates);
    drawn.push(all.find((name) => !drawn.includes(name))!);
  }
  // The first plate is the oldest, but is used again below.
  await age(drawn[0]!, 30);
  await age(drawn[1]!, 20);
  await age(drawn[2]!, 10);
  await preview(service, scenes[0]!);
  const rest = await filesOf(kept);
  const used = (await bytesOf(drawn)) + (await bytesOf(rest));
  // The usage is one byte over the budget. A sweep evicts until the usage is at most nine tenths of the budget; one
  // evicted plate is enough for that.
  const env = { DATA_DIR: dataDir, DISK_BUDGET_BYTES: String(used - 1) };

  const dry = JSON.parse(String((await packshot(['sweep', '--dry-run', '--json'], { env })).stdout));
  expect(dry).toMatchObject({ evicted: { suffices: true }, budgetBytes: used - 1 });
  expect(await filesOf(plates)).toEqual(drawn.toSorted());
  const { code, stdout } = await packshotProcess(['sweep'], { env });
  expect(code).toBe(0);
  expect(String(stdout)).toMatch(/Evicted \d+ pictures? that can be drawn again/);
  const left = await filesOf(plates);
  expect(left).toHaveLength(3 - dry.evicted.count);
  expect(left).not.toContain(drawn[1]);
  expect(left).toContain(drawn[0]);
  expect(await filesOf(kept)).toEqual(rest);

  for (const [i, scene] of scenes.entries()) {
    expect((await preview(service, scene)).equals(before[i]!)).toBe(true);
  }
  expect(await filesOf(plates)).toEqual(drawn.toSorted());
});

it('a service over its budget makes room by itself, reports it, and still serves everything', async () => {
  const first = await start();
  const [scene] = await suggest(first, 1);
  const before = await preview(first, scene!);
  await endProcess(first.child, 'SIGTERM');
  const rest = await filesOf(kept);
  const plateBytes = await bytesOf(await filesOf(plates));
  const second = await start({ DISK_BUDGET_BYTES: '1' });
  while ((await filesOf(plates)).length > 0) await sleep(20);
  expect(await filesOf(kept)).toEqual(rest);
  // The metric is updated once the last file is gone.
  await vi.waitFor(async () => {
    const metrics = await (await second.call('/metrics')).text();
    expect(metrics).toContain(`packshot_blob_bytes{kind="evicted"} ${plateBytes}`);
    expect(metrics).toContain(`packshot_blob_bytes{kind="used"} ${await bytesOf(rest)}`);
  }, 30_000);
  expect((await preview(second, scene!)).equals(before)).toBe(true);
});

/**
 * Whether this system permits a mount namespace. The test below mounts a small disk in one; the disk disappears when
 * the process ends.
 */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' }).status === 0;

// Skipped only if this user may not create a mount namespace, because there is then no small disk to fill.
it.skipIf(!canMount)(
  'an upload to a full disk gets the space of evicted plates, and is refused only if there is no plate to evict',
  async () => {
    // An upload is refused if less than a twentieth of the disk is free (here 1.6 MiB).
    const mount = `mount -t tmpfs -o size=32m tmpfs "${dataDir}" && exec "$@"`;
    running = await spawnService(dataDir, {}, ['unshare', '-rm', 'sh', '-c', mount, 'sh']);
    const disk = join(`/proc/${running.child.pid}/root`, dataDir);
    const id = await running.upload(await cratePhoto());
    const folder = join(disk, 'blobs/designs', id, 'illustrations/ill_old');
    await mkdir(folder, { recursive: true });
    for (const size of ['preview', 'generated']) {
      await writeFile(join(folder, `clean-${size}-r1`), Buffer.alloc(2 * MiB));
    }
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize - MiB));

    const second = await running.upload(await cratePhoto());
    expect(await readdir(folder)).toHaveLength(0);
    const json = { ...white, id: second };
    expect((await running.call('/v1/design/preview.webp', { json })).status).toBe(200);
    const rest = await statfs(disk);
    await writeFile(join(disk, 'filler2'), Buffer.alloc(rest.bavail * rest.bsize - MiB));
    const upload = { method: 'POST', body: formWith(await cratePhoto()) };
    const refused = await running.call('/v1/design/image-upload', upload);
    expect(await problemOf(refused)).toMatchObject({ status: 507, code: 'storage_full' });
  },
);

it('a dry run reports expired objects and orphaned blobs, and the sweep deletes them', async () => {
  const service = await start({ RETENTION_DAYS: '0.00001' });
  await service.upload(await cratePhoto());
  await endProcess(service.child, 'SIGTERM');
  const env = { DATA_DIR: dataDir };
  const dryRun = async () =>
    JSON.parse(String((await packshot(['sweep', '--dry-run', '--json'], { env })).stdout));
  // The design's lifetime of almost a second may not be over yet.
  await vi.waitFor(async () => expect((await dryRun()).erased.design).toMatchObject({ expired: 1 }), {
    timeout: 60_000,
    interval: 200,
  });
  const dry = await dryRun();
  expect(dry.erased.design).toMatchObject({ expired: 1, orphaned: 0 });
  expect(dry.usedBytes).toBe(0);
  expect(await filesOf(kept)).toHaveLength(3);
  expect((await packshot(['sweep'], { env })).code).toBe(0);
  expect(await filesOf(kept)).toEqual([]);
  expect(String((await packshot(['sweep'], { env })).stdout)).toContain('Nothing to clean up');
});
