import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readZip } from '../../src/batches/testing/read-zip.ts';
import { packshot } from './command.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import {
  cratePhoto,
  emptyPhoto,
  green,
  isScaled,
  jsonOf,
  problemOf,
  type Service,
  startService,
  transparent,
  white,
} from './service.ts';

type Caller = Pick<Service, 'call'>;
let service: Service;
let origin: Server;
let originUrl: string;
/** A photo below `/held/` is sent only once the promise that this function returns resolves. */
let holdPhoto: (path: string) => Promise<void> = async () => undefined;
beforeAll(async () => {
  const photo = await cratePhoto();
  origin = createServer((request, response) => {
    const held = request.url?.startsWith('/held/') && holdPhoto(request.url);
    if (held) void held.then(() => response.end(photo));
    else if (request.url === '/photo.jpg') response.end(photo);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  service = await startService({ URL_ALLOW: '127.0.0.1' });
});
afterAll(async () => {
  await service.stop();
  origin.close();
});

const post = (body: unknown, headers: Record<string, string> = {}, to: Caller = service) =>
  to.call('/v1/jobs', { json: body, headers });
const look = (id: string, to: Caller = service) => jsonOf(to.call(`/v1/jobs/${id}`));
async function end(id: string, to: Caller = service) {
  return vi.waitFor(
    async () => {
      const batch = await look(id, to);
      expect(batch.status).toBe('completed');
      return batch;
    },
    { timeout: 50_000, interval: 100 },
  );
}
async function unzip(id: string, to: Caller = service) {
  const response = await to.call(`/v1/jobs/${id}/results.zip`);
  expect(response.status).toBe(200);
  return readZip(Buffer.from(await response.arrayBuffer()));
}

describe('POST /v1/jobs', () => {
  it('makes the same pictures as the render calls, and reports the result of each item', async () => {
    const [id, empty] = await Promise.all([
      service.upload(await cratePhoto()),
      service.upload(await emptyPhoto()),
    ]);
    const small = { longEdgePx: 800, maxBytes: 60_000 };
    const response = await post({
      items: [
        { id, ...white, name: 'mug', folder: 'shop', ...small },
        { url: `${originUrl}/photo.jpg`, ...green, name: 'mug' },
        { id, ...transparent, format: 'png', mutations: { layout: { margin: 0.2 } } },
        { id: empty, ...white },
        { id: 'dsg_0000000000000000000000', ...white },
        { url: `${originUrl}/nothing`, ...white },
        { url: 'http://10.0.0.1/photo.jpg', ...white },
        { id, recipeId: 'Solid1_1_0035', variant: '4:5' },
      ],
    });
    expect(response.status).toBe(202);
    const posted = await jsonOf(response);
    expect(response.headers.get('location')).toBe(`/v1/jobs/${posted.id}`);
    expect(posted).toMatchObject({ status: 'queued', counts: { total: 8, waiting: 8 } });

    const batch = await end(posted.id);
    expect(batch.counts).toEqual({ total: 8, waiting: 0, done: 3, failed: 5, cancelled: 0 });
    expect(batch.next).toBeNull();
    const codes = batch.items.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(codes).toEqual([
      undefined,
      undefined,
      undefined,
      'no_subject_found',
      'design_not_found',
      'source_fetch_failed',
      'source_url_blocked',
      'unknown_variant',
    ]);
    const [manifest, ...files] = await unzip(posted.id);
    expect(files.map(({ name }) => name)).toEqual(['shop/mug.jpeg', 'mug.jpeg', '0003.png']);
    const listed = JSON.parse(String(manifest!.bytes)).items;
    expect(listed.map(({ status }: { status: string }) => status)).toEqual([
      ...Array(3).fill('done'),
      ...Array(5).fill('failed'),
    ]);

    const asked = await service.call('/v1/design/generated.jpeg', { json: { id, ...white, ...small } });
    expect(files[0]!.bytes.equals(Buffer.from(await asked.arrayBuffer()))).toBe(true);
    expect(await sharp(files[2]!.bytes).metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    const made = await service.call(`/v1/design/${listed[1].designId}`);
    expect((await jsonOf(made)).image.width).toBe(320);
  });

  it.each([
    ['no items', { items: [] }, '/items'],
    ['more than a thousand items', { items: Array(1_001).fill({ id: 'a', ...white }) }, '/items'],
    ['both a design and a URL', { items: [{ id: 'a', url: 'https://a/', ...white }] }, '/items/0'],
    ['neither a design nor a URL', { items: [white] }, '/items/0'],
    ['an unknown format', { items: [{ id: 'a', ...white, format: 'gif' }] }, '/items/0/format'],
    ['an unknown mutation', { items: [{ id: 'a', ...white, mutations: { x: 1 } }] }, '/items/0/mutations/x'],
  ])('refuses a batch with %s, and says where the fault is', async (_, body, pointer) => {
    const problem = await problemOf(await post(body));
    expect(problem.status).toBe(400);
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });

  it('checks each picture for the given marketplaces, and writes the results into the manifest', async () => {
    const id = await service.upload(await cratePhoto({ width: 640, height: 480 }));
    const items = ['Solid1_1_0035', 'Listing_amazon_main'].map((recipeId) => ({
      id,
      recipeId,
      variant: '1:1',
    }));
    const { id: batchId } = await jsonOf(post({ items, marketplaces: ['amazon', 'shopify'], events: [] }));
    const { items: made } = await end(batchId);
    expect(made[0].checks).toEqual([
      {
        marketplace: 'amazon',
        verdict: 'fails',
        summary: expect.stringContaining('fill'),
        failed: expect.arrayContaining(['fill']),
      },
      expect.objectContaining({ marketplace: 'shopify', verdict: 'passes' }),
    ]);
    expect(made[1].checks).toMatchObject([{ verdict: 'passes', failed: [] }, { verdict: 'passes' }]);
    const manifest = JSON.parse(String((await unzip(batchId))[0]!.bytes));
    expect(manifest.items.map(({ checks }: { checks: unknown }) => checks)).toEqual(
      made.map(({ checks }: { checks: unknown }) => checks),
    );
    expect(await problemOf(await post({ items, marketplaces: ['nowhere'] }))).toMatchObject({ status: 400 });
  });

  it('makes pictures of the requested quality', async () => {
    const id = await service.upload(await cratePhoto());
    const of = (quality?: number) => ({ id, ...white, ...(quality && { quality }) });
    const { items } = await end((await jsonOf(post({ items: [of(), of(30)], events: [] }))).id);
    expect(items[1].bytes).toBeLessThan(items[0].bytes);
    const png = { ...of(50), format: 'png' };
    expect(await problemOf(await post({ items: [png] }))).toMatchObject({
      errors: [{ pointer: '/items/0/quality' }],
    });
  });

  it('accepts a body of over 300 kB, and refuses one of over 1 MB', async () => {
    const item = { id: 'a'.repeat(90), ...white, name: 'n'.repeat(180) };
    const body = { items: Array(1_000).fill({ ...item, mutations: { background: { color: '#ffffff' } } }) };
    expect(JSON.stringify(body).length).toBeGreaterThan(300_000);
    const taken = await post(body);
    expect(taken.status).toBe(202);
    await service.call(`/v1/jobs/${(await jsonOf(taken)).id}`, { method: 'DELETE' });
    const wide = { items: [{ ...item, mutations: {} }], pad: 'x'.repeat(1024 * 1024) };
    expect(await problemOf(await post(wide))).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('creates one batch for a call repeated with its Idempotency-Key', async () => {
    const id = await service.upload(await cratePhoto());
    const body = { items: [{ id, ...white }] };
    const [first, again] = [
      await jsonOf(post(body, { 'idempotency-key': 'batch-1' })),
      await jsonOf(post(body, { 'idempotency-key': 'batch-1' })),
    ];
    expect(again).toEqual(first);
    const other = await post({ items: [{ id, ...green }] }, { 'idempotency-key': 'batch-1' });
    expect(await problemOf(other)).toMatchObject({ code: 'idempotency_mismatch' });
    await end(first.id);
  });
});

describe('a running batch', () => {
  it('fills its account’s queue, yields to a preview, and is canceled when deleted', async () => {
    const small = await startService({ MAX_WAITING_BATCH_ITEMS: '2' });
    try {
      const id = await small.upload(await cratePhoto());
      const items = Array(300).fill({ id, ...white, format: 'avif' });
      const posted = await jsonOf(post({ items }, {}, small));
      const early = await small.call(`/v1/jobs/${posted.id}/results.zip`);
      expect(await problemOf(early)).toMatchObject({ status: 409, code: 'batch_not_completed' });
      const refused = await post({ items: [{ id, ...white }] }, {}, small);
      expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'queue_full' });
      expect(refused.headers.get('retry-after')).toBe('60');

      const preview = await small.call('/v1/design/preview.webp', { json: { id, ...white } });
      expect(preview.status).toBe(200);
      const page = await vi.waitFor(
        async () => {
          const found = await look(posted.id, small);
          expect(found.status).toBe('running');
          return found;
        },
        { timeout: 20_000, interval: 50 },
      );
      expect(page.next).toBe(199);
      const next = await jsonOf(small.call(`/v1/jobs/${posted.id}?after=${page.next}`));
      expect(next.items).toHaveLength(100);
      expect(next).toMatchObject({ next: null });

      expect((await small.call(`/v1/jobs/${posted.id}`, { method: 'DELETE' })).status).toBe(204);
      const over = await look(posted.id, small);
      expect(over.status).toBe('cancelled');
      expect(over.counts.cancelled).toBeGreaterThan(250);
      expect(over.counts.waiting).toBe(0);
      await small.call(`/v1/jobs/${posted.id}`, { method: 'DELETE' });
      const gone = await small.call(`/v1/jobs/${posted.id}`);
      expect(await problemOf(gone)).toMatchObject({ status: 404, code: 'batch_not_found' });
    } finally {
      await small.stop();
    }
  });
});

describe('a batch whose key is revoked', () => {
  it('fetches no more photos and makes no more designs', async () => {
    const env = { DATA_DIR: service.dataDir };
    const keys = JSON.parse((await packshot(['keys', 'list', '--json'], { env })).stdout.toString());
    const words = ['keys', 'create', '--name', 'lost', '--account', keys[0].accountId, '--json'];
    const lost = JSON.parse((await packshot(words, { env })).stdout.toString());
    const fetched: string[] = [];
    const release = Promise.withResolvers<void>();
    holdPhoto = (path) => {
      fetched.push(path);
      return release.promise;
    };
    const items = Array.from({ length: 12 }, (_, i) => ({ url: `${originUrl}/held/${i}`, ...white }));
    const posted = await service.call('/v1/jobs', { json: { items }, key: lost.key });
    const { id } = await jsonOf(posted);
    await vi.waitFor(() => expect(fetched.length).toBeGreaterThan(0), { timeout: 20_000, interval: 20 });
    expect((await packshot(['keys', 'revoke', lost.id], { env })).code).toBe(0);
    const begun = fetched.length;
    release.resolve();
    const batch = await end(id);
    expect(fetched).toHaveLength(begun);
    const designs = batch.items.filter(({ designId }: { designId: string | null }) => designId !== null);
    expect(designs.length).toBeLessThanOrEqual(begun);
    const codes = batch.items.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(codes.filter((code: string | undefined) => code === 'invalid_api_key')).toHaveLength(12 - begun);
  });
});

// Skipped in the setting `scaled`: the test restarts a service on the same data folder. `npm run rig -- fleet` kills
// processes of a scaled service.
describe.skipIf(isScaled)('a process that is killed in the middle of a batch', () => {
  it('continues after the restart: no item is lost, and no finished item is made again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'packshot-batch-'));
    let running: ServiceProcess | undefined;
    try {
      running = await spawnService(dataDir);
      const photos = await Promise.all(
        Array.from({ length: 5 }, (_, i) => cratePhoto({ width: 300 + 10 * i })),
      );
      const ids = await Promise.all(photos.map((photo) => running!.upload(photo)));
      const recipes = [white, green, transparent];
      const items = Array.from({ length: 20 }, (_, i) => ({
        id: ids[i % 5],
        ...recipes[i % 3],
        format: i % 10 ? 'jpeg' : 'webp',
        name: `item ${i}`,
      }));
      const { id } = await jsonOf(post({ items }, {}, running));
      const done: number[] = [];
      for (const least of [3, 12]) {
        const { call } = running;
        await vi.waitFor(
          async () => {
            const { counts } = await look(id, { call });
            expect(counts.done).toBeGreaterThanOrEqual(least);
            done.push(counts.done);
          },
          { timeout: 120_000, interval: 20 },
        );
        await endProcess(running.child, 'SIGKILL');
        await sleep(50);
        running = await spawnService(dataDir);
        // Finished items stay finished.
        expect((await look(id, running)).counts.done).toBeGreaterThanOrEqual(done.at(-1)!);
      }
      const batch = await end(id, running);
      expect(batch.counts).toMatchObject({ total: 20, done: 20, failed: 0 });
      const files = (await unzip(id, running)).slice(1);
      expect(files.map(({ name }) => name)).toEqual(items.map(({ name, format }) => `${name}.${format}`));
      for (const [i, { bytes }] of files.entries())
        expect((await sharp(bytes).metadata()).format).toBe(items[i]!.format);
      // At each of the two kills, at most one picture was in progress. Only these pictures may be made again.
      const usage = await packshot(['usage', '--csv'], { env: { DATA_DIR: dataDir } });
      const [columns = [], row = []] = usage.stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(','));
      expect(Number(row[columns.indexOf('full_versions')])).toBeLessThanOrEqual(22);
    } finally {
      if (running) await endProcess(running.child, 'SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 300_000);
});
