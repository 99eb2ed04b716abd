import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, jsonOf, pixelsOf, type Service, startService } from './service.ts';

let service: Service;
let photo: string;
beforeAll(async () => {
  service = await startService({});
  photo = (await cratePhoto()).toString('base64');
});
afterAll(() => service.stop());

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Era = 'modern' | 'legacy';

async function connect(
  era: Era = 'modern',
  headers: Record<string, string> = { authorization: `Bearer ${service.key}` },
) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  closers.push(() => client.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reaches into results and fails where they are not what they should be.
type Result = any;
const textOf = ({ content }: Result): string => content.find(({ type }: Result) => type === 'text').text;
const call = async (client: Client, name: string, input: object): Promise<Result> =>
  client.callTool({ name, arguments: { ...input } });

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': service.key,
      ...headers,
    },
    body: JSON.stringify(body),
  });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('POST /mcp', () => {
  it.each(['modern', 'legacy'] as const)(
    'lists the tools in a fixed order, to a client of the %s era',
    async (era) => {
      const { tools } = await (await connect(era)).listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'remove_background',
        'correct_cutout',
        'suggest_scenes',
        'render',
        'check_listing',
        'list_recipes',
        'keep_look',
        'get_design',
        'delete_design',
      ]);
      for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
        expect(title).toBeTruthy();
        expect(description!.length).toBeGreaterThan(60);
        expect(outputSchema).toMatchObject({ type: 'object' });
        expect(inputSchema).toMatchObject({ type: 'object' });
        expect(annotations?.openWorldHint).toBe(false);
        // Over HTTP no tool accepts a local path.
        expect(Object.keys(inputSchema.properties ?? {})).not.toContain('path');
        expect(Object.keys(inputSchema.properties ?? {})).not.toContain('output_path');
      }
      expect(tools.find(({ name }) => name === 'delete_design')?.annotations?.destructiveHint).toBe(true);
    },
  );

  it.each(['modern', 'legacy'] as const)(
    'completes the whole flow for a client of the %s era',
    async (era) => {
      const client = await connect(era);
      const cut = await call(client, 'remove_background', { base64: `data:image/jpeg;base64,${photo}` });
      expect(cut.isError ?? false, textOf(cut)).toBe(false);
      const { designId, subjectBox, width, height, files } = cut.structuredContent;
      expect({ width, height }).toEqual({ width: 320, height: 240 });
      expect(subjectBox.width).toBeGreaterThan(120);
      expect(JSON.parse(textOf(cut))).toEqual(cut.structuredContent);
      const image = cut.content.find(({ type }: Result) => type === 'image');
      expect(image.data.length).toBeLessThan(700_000);
      expect((await sharp(Buffer.from(image.data, 'base64')).metadata()).width).toBeLessThanOrEqual(1024);
      const link = cut.content.find(({ type }: Result) => type === 'resource_link');
      expect(link.uri).toBe(files[0].url);
      const cutout = await fetch(link.uri, { headers: { 'x-api-key': service.key } });
      expect(await sharp(Buffer.from(await cutout.arrayBuffer())).metadata()).toMatchObject({
        width: 320,
        hasAlpha: true,
      });

      const suggested = await call(client, 'suggest_scenes', {
        design_id: designId,
        prompt: 'white marble podium',
        ratio: '4:5',
        count: 2,
      });
      expect(suggested.structuredContent.scenes).toHaveLength(2);
      expect(suggested.structuredContent.wordsUsed.join(' ')).toMatch(/marble/);
      expect(suggested.content.filter(({ type }: Result) => type === 'image')).toHaveLength(2);

      const { scene } = suggested.structuredContent.scenes[0];
      const rendered = await call(client, 'render', { design_id: designId, scene });
      const [file] = rendered.structuredContent.files;
      expect(file).toMatchObject({ method: 'POST', mimeType: 'image/jpeg', width: 1600, height: 2000 });
      const full = await fetch(file.url, {
        method: file.method,
        headers: { 'x-api-key': service.key },
        body: JSON.stringify(file.body),
      });
      expect(await sharp(Buffer.from(await full.arrayBuffer())).metadata()).toMatchObject({
        width: 1600,
        height: 2000,
      });

      const graded = await call(client, 'render', { design_id: designId, scene, match_light: true });
      expect(graded.structuredContent.files[0].body.mutations).toMatchObject({
        ...file.body.mutations,
        match: 'light',
      });

      const known = await call(client, 'get_design', { design_id: designId });
      expect(known.structuredContent).toMatchObject({ status: 'ready', width: 320 });
      expect((await call(client, 'delete_design', { design_id: designId })).structuredContent.deleted).toBe(
        true,
      );
      expect(textOf(await call(client, 'get_design', { design_id: designId }))).toMatch(/design_not_found/);
    },
  );

  it('serves the client of the first SDK, too', async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    const transport = new OldTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'x-api-key': service.key } },
    });
    // Its types were built without exactOptionalPropertyTypes.
    await client.connect(transport as never);
    closers.push(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(9);
    const result: Result = await client.callTool({ name: 'list_recipes', arguments: { query: 'white' } });
    expect(result.structuredContent.recipes.map(({ id }: Result) => id)).toContain('Solid1_1_0035');
  });

  it('corrects a cutout, takes the correction back, and says which mark does not fit', async () => {
    const client = await connect();
    const { structuredContent: made } = await call(client, 'remove_background', { base64: photo });
    const design_id = made.designId;
    const leftHalf = { mode: 'erase', x: 0, y: 0, width: 160, height: 240 };
    const corrected = await call(client, 'correct_cutout', { design_id, boxes: [leftHalf] });
    const { revision, undo, subjectBox, files } = corrected.structuredContent;
    expect([revision, undo]).toEqual([2, 1]);
    expect(subjectBox.x).toBeGreaterThanOrEqual(157);
    expect(corrected.content.filter(({ type }: Result) => type === 'image')).toHaveLength(1);
    const cutout = await fetch(files[0].url, { headers: { 'x-api-key': service.key } });
    const { data } = await pixelsOf(cutout);
    expect([data[(120 * 320 + 120) * 4 + 3], data[(120 * 320 + 200) * 4 + 3]]).toEqual([0, 255]);
    const undone = await call(client, 'correct_cutout', { design_id, undo: true });
    expect(undone.structuredContent).toMatchObject({ revision: 1, undo: null, subjectBox: made.subjectBox });
    const outside = { design_id, boxes: [{ ...leftHalf, x: 400 }] };
    const refused = await call(client, 'correct_cutout', outside);
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringMatching(/outside the photo.*invalid_correction/),
    ]);
    expect(textOf(await call(client, 'correct_cutout', { design_id, undo: false }))).toMatch(
      /Send parts, strokes/,
    );
  });

  it('keeps a recipe as a look, lists it, and renders in it', async () => {
    const client = await connect();
    const kept = await call(client, 'keep_look', { recipe: 'Surface002', title: 'On sand' });
    const { look, title, ratios } = kept.structuredContent;
    expect([title, ratios]).toEqual(['On sand', expect.arrayContaining(['1:1', '4:5'])]);
    const listed = await call(client, 'list_recipes', { query: 'look' });
    expect(listed.structuredContent.recipes).toMatchObject([{ id: look, title: 'On sand', family: 'look' }]);
    const drawn = await call(client, 'render', { base64: photo, recipe: look, size: 'preview' });
    expect([drawn.isError, drawn.structuredContent.files[0].body.recipeId]).toEqual([undefined, look]);
    expect(textOf(await call(client, 'keep_look', {}))).toMatch(/either recipe/);
  });

  it('renders a recipe with custom color and format', async () => {
    const result = await call(await connect(), 'render', {
      base64: photo,
      recipe: 'Solid1_1_0035',
      background_color: '#E6D5BE',
      size: 'preview',
      format: 'png',
    });
    const [{ url, body, width }] = result.structuredContent.files;
    expect(width).toBe(640);
    const picture = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': service.key },
      body: JSON.stringify(body),
    });
    const { data } = await sharp(Buffer.from(await picture.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([0xe6, 0xd5, 0xbe]);
  });

  it.each([
    ['no photo', 'remove_background', {}, /exactly one of url, base64; you gave none/],
    ['two photos', 'remove_background', { url: 'https://example.com/a.jpg', base64: 'aGk=' }, /exactly one/],
    ['a path', 'remove_background', { path: '/etc/passwd' }, /exactly one/],
    ['no photo in the base64', 'remove_background', { base64: 'bm8gcGhvdG8=' }, /unsupported_image_format/],
    ['no base64', 'remove_background', { base64: '<photo>' }, /not valid base64/],
    ['an address of a private network', 'remove_background', { url: 'http://127.0.0.1/a.jpg' }, /url/i],
    ['an unknown design', 'suggest_scenes', { design_id: 'dsg_0000000000000000000000' }, /design_not_found/],
    ['an unknown recipe', 'render', { base64: 'PHOTO', recipe: 'Solid9' }, /list_recipes/],
    ['neither recipe nor scene', 'render', { base64: 'PHOTO' }, /either recipe/],
    [
      'an altered scene',
      'render',
      { base64: 'PHOTO', scene: 'Studio001|1:1|http://x/y.webp' },
      /mutation_uri_rejected/,
    ],
    ['no scene at all', 'render', { base64: 'PHOTO', scene: 'a nice one' }, /unchanged/],
  ])(
    'returns an error that a model can act on: %s',
    async (_, name, input: Record<string, string>, words) => {
      const sent = { ...input, ...(input.base64 === 'PHOTO' && { base64: photo }) };
      const result = await call(await connect(), name, sent);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(words);
      expect(textOf(result)).not.toMatch(/\bat .*\.ts:\d+/);
    },
  );

  it('checks the key first, and reports it as JSON-RPC', async () => {
    for (const headers of [
      { 'x-api-key': 'psk_live_wrong' },
      { 'x-api-key': '', authorization: 'Bearer nonsense' },
    ]) {
      const response = await post(listTools, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    }
    await expect(connect('legacy', {})).rejects.toThrow();
  });

  it('refuses pages of other origins, and serves those of its own', async () => {
    const refused = await post(listTools, { origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    expect((await jsonOf(refused)).error.data.code).toBe('origin_refused');
    // DNS rebinding: a foreign name that resolves to this machine.
    const rebound = await post(listTools, { origin: 'http://evil.example', host: 'evil.example' });
    expect(rebound.status).toBe(403);
    expect((await post(listTools, { origin: service.url })).status).toBe(200);
  });

  it('refuses other methods and invalid JSON', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.url}/mcp`, { method, headers: { 'x-api-key': service.key } });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
    }
    const broken = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': service.key },
      body: '{"jsonrpc":',
    });
    expect(broken.status).toBe(400);
    expect((await jsonOf(broken)).jsonrpc).toBe('2.0');
  });

  it('refuses oversized bodies', async () => {
    const huge = await post({ ...listTools, params: { filler: 'x'.repeat(17 * 2 ** 20) } });
    expect(huge.status).toBe(413);
  });

  it('counts and charges tool calls like the same API calls', async () => {
    const spent = async (): Promise<number> => (await jsonOf(service.call('/v1/credits'))).used;
    const before = await spent();
    const { structuredContent } = await call(await connect(), 'remove_background', { base64: photo });
    // One preview.
    expect(await spent()).toBe(before + 0.25);
    const { status } = await service.call(`/v1/design/${structuredContent.designId}`);
    expect(status).toBe(200);
  });

  it('serves more concurrent calls than a key has slots for', async () => {
    const client = await connect();
    const results = await Promise.all(
      Array.from({ length: 12 }, () => call(client, 'remove_background', { base64: photo })),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
  }, 120_000);
});
