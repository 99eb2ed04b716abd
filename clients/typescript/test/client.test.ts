/** The TypeScript client against a real service. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../../src/batches/testing/read-zip.ts';
import {
  cratePhoto,
  emptyPhoto,
  type Service,
  startService,
  white,
} from '../../../test/acceptance/service.ts';
import { createPackshotClient, PackshotError } from '../src/packshot-client.ts';

let service: Service;
let client: ReturnType<typeof createPackshotClient>;
let photo: Buffer<ArrayBuffer>;

beforeAll(async () => {
  service = await startService();
  client = createPackshotClient({ baseUrl: `${service.url}/`, apiKey: service.key });
  photo = Buffer.from(await cratePhoto());
});
afterAll(() => service?.stop());

async function errorOf(call: Promise<unknown>): Promise<PackshotError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PackshotError);
  return error as PackshotError;
}

describe('the removal-only flow', () => {
  it('uploads a file and returns pictures, readable as a Blob, an ArrayBuffer or a stream', async () => {
    const design = await client.upload(new File([photo], 'crate.jpg'));
    expect(design.image).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
    expect((await client.getDesign(design.id, { wait: true })).subject?.coverage).toBeCloseTo(0.25, 1);

    const full = await client.generate({ id: design.id, ...white });
    expect(full.contentType).toBe('image/jpeg');
    expect(full.etag).toMatch(/^"/);
    expect(full.requestId).toMatch(/^req/);
    expect(full.timings.map(({ step }) => step)).toContain('encode');
    expect((await full.blob()).type).toBe('image/jpeg');

    const small = await client.preview({ id: design.id, ...white }, { format: 'png' });
    expect(new Uint8Array(await small.arrayBuffer()).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'));

    let streamed = 0;
    const cutout = await client.cutout(design.id, { format: 'webp' });
    for await (const chunk of cutout.stream()) streamed += chunk.length;
    expect(streamed).toBeGreaterThan(0);
    expect((await client.matte(design.id)).contentType).toBe('image/png');
  });

  it('accepts plain bytes as well as files', async () => {
    expect((await client.upload(photo)).image.bytes).toBe(photo.length);
    expect((await client.upload(new Blob([photo]), { name: 'crate.jpg' })).image.bytes).toBe(photo.length);
  });

  it('detects by an ETag that nothing has changed', async () => {
    const { id } = await client.upload(photo);
    const { etag } = await client.preview({ id, ...white });
    const again = await client.preview({ id, ...white }, { ifNoneMatch: etag });
    expect(again.notModified).toBe(true);
    expect((await again.blob()).size).toBe(0);
  });

  it('returns the warnings of a picture', async () => {
    const { id } = await client.upload(photo);
    const flat = await client.generate({ id, recipeId: 'Transp001', variant: '1:1' });
    // The photo is small, so a second warning says that the product was enlarged.
    expect(flat.warnings).toHaveLength(2);
    for (const { code, detail } of flat.warnings)
      expect([code, detail]).toEqual([expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/\.$/)]);
  });

  it('returns the catalog, the limits and the credits', async () => {
    const ids = (await client.recipes()).map(({ id }) => id);
    expect(ids).toContain('Solid1_1_0035');
    expect((await client.limits()).image.maxBytes).toBeGreaterThan(1e6);
    expect((await client.credits()).remaining).toBeNull();
  });

  it('deletes a design, which is then gone', async () => {
    const { id } = await client.upload(photo);
    await client.deleteDesign(id);
    expect(await errorOf(client.getDesign(id))).toMatchObject({ code: 'design_not_found', status: 404 });
  });
});

describe('the design flow', () => {
  it('suggests scenes and renders one', async () => {
    const { id } = await client.upload(photo);
    const { suggestedRecipeLists } = await client.suggest({
      id,
      recipePreset: 'AI_STUDIO',
      filters: { aspectRatio: '4:5' },
    });
    const { recipeId, variant, mutations } = suggestedRecipeLists[0]!.recipes[0]!;
    const scene = await client.preview({ id, recipeId, variant, mutations });
    expect((await scene.blob()).size).toBeGreaterThan(1000);
  });

  it('takes a backdrop of the caller and deletes it', async () => {
    const { id } = await client.upload(photo);
    const primaryIllustration = await client.uploadIllustration(await cratePhotoAsBackdrop());
    expect(primaryIllustration.source).toBe('UPLOAD');
    const mutations = { images: { primaryIllustration } };
    const scene = await client.preview({ id, recipeId: 'Studio001', variant: '1:1', mutations });
    expect(scene.contentType).toBe('image/webp');
    await client.deleteIllustration(primaryIllustration.uri);
  });
});

async function cratePhotoAsBackdrop(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await cratePhoto({ width: 800, height: 800 }));
}

describe('combined calls', () => {
  it('make the full version of a photo, and list scenes whose recipes `preview` accepts unchanged', async () => {
    const made = await client.make(photo, white, { name: 'crate.jpg', format: 'png' });
    expect(made.contentType).toBe('image/png');
    expect((await made.bytes()).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'));
    const id = made.designId;
    const scenes = await client.scenes(id, 'oak table', { aspectRatio: '4:5' });
    const suggestion = {
      id,
      recipePreset: 'AI_STUDIO',
      prompt: 'oak table',
      filters: { aspectRatio: '4:5' },
    } as const;
    const { suggestedRecipeLists } = await client.suggest(suggestion);
    expect(scenes.length).toBeGreaterThan(1);
    expect(scenes.map(({ title }) => title)).toEqual(
      suggestedRecipeLists.flatMap(({ recipes }) => recipes.map(({ title }) => title)),
    );
    const scene = await client.preview({ id, ...scenes[0]! });
    expect((await scene.bytes()).length).toBeGreaterThan(1000);
    const { uri } = scenes[0]!.mutations.images!.primaryIllustration;
    expect((await client.illustration(uri)).contentType).toBe('image/webp');
  });

  it('report whether the service responds and is ready', async () => {
    await client.health();
    await client.readiness();
  });
});

describe('a batch', () => {
  it('is posted with its photos, followed, and read', async () => {
    const items = [
      { file: 'a.jpg', ...white },
      { file: 'b.jpg', ...white },
      { file: 'a.jpg', recipeId: 'Transp001', variant: '1:1', format: 'png' as const },
    ];
    const files = { 'a.jpg': photo, 'b.jpg': new Blob(['no picture']) };
    const { id } = await client.createBatch({ items }, { files });
    const progress: number[] = [];
    const batch = await client.waitForBatch(id, {
      intervalMs: 50,
      onProgress: ({ counts }) => progress.push(counts.waiting),
    });
    expect(batch).toMatchObject({ id, status: 'completed', counts: { done: 2, failed: 1 } });
    expect(progress.at(-1)).toBe(0);
    expect([...progress].sort((a, b) => b - a)).toEqual(progress);
    const states: string[] = [];
    for await (const item of client.batchItems(id)) states.push(item.error?.code ?? item.file);
    expect(states).toEqual(['a.jpeg', 'unsupported_image_format', 'a.png']);
    const results = await (await client.batchResults(id)).bytes();
    expect((await readZip(Buffer.from(results))).map(({ name }) => name)).toEqual([
      'manifest.json',
      'a.jpeg',
      'a.png',
    ]);
    await client.deleteBatch(id);
    expect(await errorOf(client.getBatch(id))).toMatchObject({ code: 'batch_not_found' });
  });

  it('is created once, even if it is posted again with the same key; waiting for it can be aborted', async () => {
    const { id } = await client.upload(photo);
    const batch = { items: [{ id, ...white }] };
    const first = await client.createBatch(batch, { idempotencyKey: 'of-the-client' });
    expect((await client.createBatch(batch, { idempotencyKey: 'of-the-client' })).id).toBe(first.id);
    const aborted = client.waitForBatch(first.id, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(aborted).rejects.toThrow('enough');
    await client.deleteBatch(first.id);
  });
});

describe('the events of a design', () => {
  it('report the cutout and then end', async () => {
    const { id } = await client.upload(photo);
    const states: string[] = [];
    for await (const event of client.designEvents(id))
      if (event.type === 'design') states.push(event.design.status);
    expect(states.at(-1)).toBe('ready');
  });

  it('continue after a broken connection, without repeating known events', async () => {
    let connections = 0;
    const breaking = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (++connections > 2) return response;
        const text = await response.text();
        const cut = `${text.slice(0, text.indexOf('\n\n') + 2)}event: design\nda`;
        return new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(cut)),
            pull: (controller) => controller.error(new TypeError('broken')),
          }),
        );
      },
    });
    const { id } = await client.upload(photo);
    await client.getDesign(id, { wait: true });
    const told: string[] = [];
    for await (const event of breaking.designEvents(id)) told.push(event.type);
    expect(connections).toBe(3);
    expect(told).toEqual(['design']);
  });

  it('end on abort, and on a response that is not a stream', async () => {
    const { id } = await client.upload(photo);
    await client.getDesign(id, { wait: true });
    const stop = new AbortController();
    const holding = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      async fetch(input, init) {
        const text = await (await fetch(input, init)).text();
        const first = text.slice(0, text.indexOf('\n\n') + 2);
        // This response stays open after the first event, so that only the abort can end it.
        return new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode(first));
              stop.signal.addEventListener('abort', () => controller.error(stop.signal.reason));
            },
          }),
        );
      },
    });
    const events = holding.designEvents(id, { signal: stop.signal });
    await events.next();
    stop.abort(new Error('enough'));
    await expect(Array.fromAsync(events)).rejects.toThrow('enough');
    expect(await errorOf(client.designEvents('dsg_none').next())).toMatchObject({ code: 'design_not_found' });
  });
});

describe('errors', () => {
  it('contain the fields of the problem document', async () => {
    const error = await errorOf(client.preview({ id: 'none', recipeId: 'Solid1_1_0035', variant: '' }));
    expect(error.requestId).toMatch(/^req/);
    const { id } = await client.upload(await emptyPhotoBytes());
    expect(await errorOf(client.preview({ id, ...white }))).toMatchObject({
      code: 'no_subject_found',
      status: 422,
    });
    const bad = { id, ...white, mutations: { layout: { margin: 2 } } };
    expect((await errorOf(client.preview(bad))).errors[0]).toMatchObject({
      pointer: '/mutations/layout/margin',
    });
  });

  it('are thrown for a wrong key without a retry', async () => {
    const retries: unknown[] = [];
    const stranger = createPackshotClient({
      baseUrl: service.url,
      apiKey: 'not-a-key-of-this-service',
      onRetry: (retry) => retries.push(retry),
    });
    expect(await errorOf(stranger.limits())).toMatchObject({ code: 'invalid_api_key', status: 401 });
    expect(retries).toEqual([]);
  });

  it('are those of another service, if its interface is called', async () => {
    const cutout = await client.dropIn('/v1.0/removebg', { image_file: photo, size: 'auto', format: 'png' });
    expect(cutout.contentType).toBe('image/png');
    expect(await errorOf(client.dropIn('/v1.0/removebg', { size: 'auto' }))).toMatchObject({
      code: 'missing_source',
      message: 'No image given',
      status: 400,
    });
    expect(await errorOf(client.dropIn('/v1/segment', {}))).toMatchObject({
      code: 'missing_image',
      status: 400,
    });
    expect((await errorOf(client.dropIn('/api/remove', { bgc: 'red', file: photo }))).message).toContain(
      'bgc',
    );
  });

  it.each([
    ['a page', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['JSON of its own', () => Response.json({ message: 'no route' }, { status: 502 })],
  ])('distinguish the response of a proxy from the service’s: %s', async (_, answer) => {
    const proxy = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      fetch: async () => answer(),
    });
    expect(await errorOf(proxy.limits())).toMatchObject({ code: 'unexpected_answer', status: 502 });
  });
});

async function emptyPhotoBytes(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await emptyPhoto());
}
