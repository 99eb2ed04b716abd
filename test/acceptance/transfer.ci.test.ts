import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openReceiver, type Receiver } from '../../src/events/testing/receiver.ts';
import { type Ended, packshot, packshotProcess } from './command.ts';
import { makeOwnStores } from './fleet.ts';
import { type HeldRemover, holdRemover } from './held-remover.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, isScaled, jsonOf, white } from './service.ts';

const settings = { DRAW_AHEAD: 'off', WEBHOOK_ALLOW: '127.0.0.1' };
const eventually = { timeout: 50_000, interval: 100 };

let folder: string;
/** Settings of the source service, which stores its data in a folder. */
let here: Record<string, string>;
/** Settings of the target service, which uses another folder, or PostgreSQL and S3. */
let there: Record<string, string>;
let archive: string;
let remover: HeldRemover;
let receiver: Receiver;
let source: ServiceProcess;
let target: ServiceProcess;

/** What was observed at the source. */
interface Before {
  readonly ready: string;
  readonly waiting: string;
  readonly batch: string;
  readonly illustration: { readonly path: string; readonly bytes: Buffer };
  readonly key: { readonly id: string; readonly key: string };
  readonly design: object;
  readonly credits: object;
}
let before: Before;

/** Commands that run as processes, because they must end by themselves although they open databases and stores. */
const inProcesses = ['export', 'import', 'migrate'];
const on = (env: Record<string, string>, ...words: string[]): Promise<Ended> =>
  (inProcesses.includes(words[0]!) ? packshotProcess : packshot)(words, { env });
async function jsonOn(env: Record<string, string>, ...words: string[]) {
  const { code, stdout, stderr } = await on(env, ...words);
  expect(code, stderr).toBe(0);
  return JSON.parse(String(stdout));
}

const preset = 'name: SUMMER\nfamilies: [solid]\nstyles: []\n';
const illustrationIn = async (service: ServiceProcess, id: string): Promise<string> => {
  const answer = await jsonOf(
    service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
  );
  return answer.suggestedRecipeLists[0].recipes[0].mutations.images.primaryIllustration.previewUri;
};
const bytesAt = async (service: ServiceProcess, path: string): Promise<Buffer> => {
  const response = await fetch(service.url + path);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** Creates one of everything that a service stores, including a photo whose cutout never finishes there. */
async function use(service: ServiceProcess): Promise<Before> {
  const [bootstrap] = await jsonOn(here, 'keys', 'list', '--json');
  const account = ['--account', bootstrap.accountId];
  const key = await jsonOn(here, 'keys', 'create', '--name', 'shop', '--credits', '5', '--json', ...account);
  await packshot(['presets', 'create', '-'], { env: here, input: Buffer.from(preset) });
  await on(here, 'presets', 'grant', 'SUMMER', '--key', key.id);
  await on(here, 'webhooks', 'create', '--url', receiver.url, ...account);
  const ready = await service.upload(await cratePhoto());
  remover.release(1);
  await service.call(`/v1/design/${ready}?wait=true`);
  const preview = await service.call('/v1/design/preview.webp', {
    json: { id: ready, ...white },
    key: key.key,
  });
  expect(preview.headers.get('x-credits-charged')).toBe('0.25');
  const { pathname, search } = new URL(await illustrationIn(service, ready));
  const path = pathname + search;
  const bytes = await bytesAt(service, path);
  const waiting = await service.upload(await cratePhoto({ paper: '#d0d8e0' }));
  await remover.asked(2);
  const batch = await jsonOf(
    service.call('/v1/jobs', {
      json: {
        items: [
          { id: ready, ...white },
          { id: waiting, ...white },
        ],
      },
    }),
  );
  // Wait for the batch's first picture, which would otherwise be stored between two exports.
  await vi.waitFor(
    async () => expect((await jsonOf(service.call(`/v1/jobs/${batch.id}`))).counts.done).toBe(1),
    { timeout: 60_000, interval: 100 },
  );
  return {
    ready,
    waiting,
    batch: batch.id,
    illustration: { path, bytes },
    key,
    design: await jsonOf(service.call(`/v1/design/${ready}`)),
    credits: await jsonOf(service.call('/v1/credits', { key: key.key })),
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-move-'));
  archive = join(folder, 'archive');
  remover = await holdRemover();
  receiver = await openReceiver();
  here = { ...settings, DATA_DIR: join(folder, 'here') };
  there = { ...settings, DATA_DIR: join(folder, 'there'), ...(isScaled && (await makeOwnStores())) };
  source = await spawnService(here.DATA_DIR!, { ...here, ...remover.environment });
  before = await use(source);
}, 120_000);
afterAll(async () => {
  for (const service of [source, target]) if (service) await endProcess(service.child, 'SIGKILL');
  remover.close();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a service that moves', () => {
  it('is exported while it runs, and again into the same folder to add what has changed', async () => {
    expect((await on(here, 'export', archive)).stderr).toContain('protect it like a key');
    const { copied, missing, lines } = await jsonOn(here, 'export', archive, '--json');
    expect(copied).toBe(0);
    expect(missing.count).toBe(0);
    expect(lines).toMatchObject({
      'rows/designs.jsonl': 2,
      'rows/batches.jsonl': 1,
      'rows/accounts.jsonl': 1,
    });
    expect(lines['jobs.jsonl']).toBeGreaterThanOrEqual(2);
  });

  it('is imported before the first start of the target, whose database `migrate` prepares', async () => {
    await endProcess(source.child, 'SIGKILL');
    expect((await on(there, 'migrate', '--check')).code).toBe(1);
    expect((await jsonOn(there, 'migrate', '--json')).done).toContain('0001-schema');
    expect((await on(there, 'migrate', '--check')).code).toBe(0);
    const { tables, jobs, blobs } = await jsonOn(there, 'import', archive, '--json');
    expect(tables.designs).toEqual({ rows: 2, added: 2 });
    expect(jobs).toBeGreaterThanOrEqual(2);
    expect(blobs.copied).toBe(blobs.count);
    expect((await jsonOn(there, 'import', archive, '--json')).tables.designs.added).toBe(0);
    target = await spawnService(there.DATA_DIR!, there);
  });

  it('knows its keys and designs, and has the same remaining credits', async () => {
    const { key, design, credits, ready } = before;
    expect(await jsonOf(target.call(`/v1/design/${ready}`, { key: key.key }))).toEqual(design);
    expect(await jsonOf(target.call('/v1/credits', { key: key.key }))).toEqual(credits);
    const again = await target.call('/v1/design/preview.webp', {
      json: { id: ready, ...white },
      key: key.key,
    });
    expect([again.status, again.headers.get('x-credits-charged')]).toEqual([200, '0']);
  });

  it('serves the illustration URIs that it issued before, with the same bytes', async () => {
    const { path, bytes } = before.illustration;
    expect((await bytesAt(target, path)).equals(bytes)).toBe(true);
    expect(new URL(await illustrationIn(target, before.ready)).pathname).toBe(path.split('?')[0]);
  });

  it('makes suggestions with its presets', async () => {
    const json = { id: before.ready, recipePreset: 'SUMMER' };
    const { suggestedRecipeLists } = await jsonOf(
      target.call('/v1/design/suggest', { json, key: before.key.key }),
    );
    expect(suggestedRecipeLists[0].recipes[0].recipeId).toMatch(/^Solid/);
  });

  it('processes waiting jobs, and sends their events', async () => {
    expect(await jsonOf(target.call(`/v1/design/${before.waiting}?wait=true`))).toMatchObject({
      status: 'ready',
    });
    await vi.waitFor(async () => {
      expect(await jsonOf(target.call(`/v1/jobs/${before.batch}`))).toMatchObject({
        status: 'completed',
        counts: { done: 2 },
      });
      const told = receiver.received.map(({ body }) => JSON.parse(body).data?.id);
      expect(told).toContain(before.waiting);
      expect(told).toContain(before.batch);
    }, eventually);
  });

  it('is not mixed with another service by accident', async () => {
    const other = { ...settings, DATA_DIR: join(folder, 'other') };
    expect((await on(other, 'migrate')).code).toBe(0);
    expect((await on(other, 'keys', 'create', '--name', 'own')).code).toBe(0);
    const refused = await on(other, 'import', archive);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--merge')]);
    expect((await on(other, 'import')).code).toBe(2);
    expect((await on(other, 'import', '--from', join(folder, 'nowhere'))).stderr).toContain(
      'is not the data folder',
    );
    expect((await on(other, 'import', archive, '--merge')).code).toBe(0);
    expect(await jsonOn(other, 'keys', 'list', '--json')).toHaveLength(3);
  });
});
