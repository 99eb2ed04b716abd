import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectTo, type Era, onClose, type Result, textOf, useMcpService } from './mcp-clients.ts';
import { jsonOf, type Service, startOwnService } from './service.ts';

let service: Service;
let photo: string;
useMcpService((started, base64) => {
  service = started;
  photo = base64;
});

const connect = (era?: Era, headers?: Record<string, string>) => connectTo(service, era, headers);

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
    'lists the tools in a fixed order for a client of the %s protocol',
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
        // Some models cannot read a list of types.
        expect(JSON.stringify(inputSchema)).not.toContain('"type":[');
        expect(inputSchema).toMatchObject({ type: 'object' });
        expect(annotations?.openWorldHint).toBe(false);
        // Over HTTP, no tool accepts a local path.
        expect(Object.keys(inputSchema.properties ?? {})).not.toContain('path');
        expect(Object.keys(inputSchema.properties ?? {})).not.toContain('output_path');
      }
      expect(tools.find(({ name }) => name === 'delete_design')?.annotations?.destructiveHint).toBe(true);
    },
  );

  it('serves a client built with the first version of the SDK, too', async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    const transport = new OldTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'x-api-key': service.key } },
    });
    // The cast is needed because the SDK's types were built without exactOptionalPropertyTypes.
    await client.connect(transport as never);
    onClose(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(9);
    const result: Result = await client.callTool({ name: 'list_recipes', arguments: { query: 'white' } });
    expect(result.structuredContent.recipes.map(({ id }: Result) => id)).toContain('Solid1_1_0035');
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
    ['no photo', 'remove_background', {}, /exactly one of `url`, `base64`; you gave none/],
    ['two photos', 'remove_background', { url: 'https://example.com/a.jpg', base64: 'aGk=' }, /exactly one/],
    ['a path', 'remove_background', { path: '/etc/passwd' }, /exactly one/],
    ['base64 without a photo', 'remove_background', { base64: 'bm8gcGhvdG8=' }, /unsupported_image_format/],
    ['a text that is not base64', 'remove_background', { base64: '<photo>' }, /not valid base64/],
    ['an address of a private network', 'remove_background', { url: 'http://127.0.0.1/a.jpg' }, /url/i],
    [
      'an unknown design',
      'suggest_scenes',
      { design_id: 'dsg_0000000000000000000000' },
      /^There is[^.]+\. Send the photo again\. \(design_not_found\)$/,
    ],
    ['an unknown recipe', 'render', { base64: 'PHOTO', recipe: 'Solid9' }, /list_recipes/],
    ['neither recipe nor scene', 'render', { base64: 'PHOTO' }, /either `recipe`/],
    [
      'an altered scene',
      'render',
      { base64: 'PHOTO', scene: 'Studio001|1:1|http://x/y.webp' },
      /mutation_uri_rejected/,
    ],
    ['a text that is not a scene', 'render', { base64: 'PHOTO', scene: 'a nice one' }, /unchanged/],
  ])(
    'returns an error that a model can act on for %s',
    async (_, name, input: Record<string, string>, words) => {
      const sent = { ...input, ...(input.base64 === 'PHOTO' && { base64: photo }) };
      const result = await call(await connect(), name, sent);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(words);
      expect(textOf(result)).not.toMatch(/\bat .*\.ts:\d+/);
    },
  );

  it('checks the key first, and reports a wrong key as a JSON-RPC error', async () => {
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

  it('refuses calls from pages of other origins, and serves pages of its own origin', async () => {
    const refused = await post(listTools, { origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    expect((await jsonOf(refused)).error.data.code).toBe('origin_refused');
    // DNS rebinding: a foreign name that resolves to this machine.
    const rebound = await post(listTools, { origin: 'http://evil.example', host: 'evil.example' });
    expect(rebound.status).toBe(403);
    expect((await post(listTools, { origin: service.url })).status).toBe(200);
  });

  it('refuses HTTP methods other than POST, and invalid JSON', async () => {
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
});

// Other test files spend credits in the shared service.
describe('POST /mcp of a service of its own', () => {
  let own: Service;
  beforeAll(async () => {
    own = await startOwnService({ MAX_IN_FLIGHT: '2' });
  });
  afterAll(() => own.stop());

  it('counts and charges tool calls like the corresponding API calls', async () => {
    const spent = async (): Promise<number> => (await jsonOf(own.call('/v1/credits'))).used;
    const before = await spent();
    const { structuredContent } = await call(await connectTo(own), 'remove_background', { base64: photo });
    // The call costs as much as one preview.
    expect(await spent()).toBe(before + 0.25);
    const { status } = await own.call(`/v1/design/${structuredContent.designId}`);
    expect(status).toBe(200);
  });

  it('serves more concurrent tool calls than a key may have concurrent API calls', async () => {
    const client = await connectTo(own);
    const results = await Promise.all(
      Array.from({ length: 12 }, () => call(client, 'remove_background', { base64: photo })),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
  }, 120_000);
});
