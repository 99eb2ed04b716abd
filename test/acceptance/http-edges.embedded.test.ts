/** Edge cases of HTTP: compressed bodies, unusual headers, wildcards, and errors that name their field. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, isScaled, problemOf, type Service, startService, white } from './service.ts';

let service: Service;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = await service.upload(await cratePhoto());
});
afterAll(() => service.stop());

const preview = (body: object) =>
  service.call('/v1/design/preview.webp', { json: { id, ...white, ...body } });
const suggest = (body: object) =>
  service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO', ...body } });

async function askRaw(headers: string) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`);
  const answer = await text(socket);
  return JSON.parse(answer.split('\r\n\r\n')[1]!);
}

describe('a request', () => {
  it('with a compressed body is refused with a clear message', async () => {
    const response = await service.call('/v1/design/suggest', {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync('{}')),
    });
    expect(await problemOf(response)).toMatchObject({ status: 415, code: 'unsupported_encoding' });
  });

  // Skipped in the setting `scaled`: there, the load balancer responds to these requests itself.
  it.skipIf(isScaled)('that Node rejects is answered with a problem document', async () => {
    expect(await askRaw('Expect: more')).toMatchObject({ status: 417, code: 'expectation_failed' });
    expect(await askRaw(`X-Long: ${'x'.repeat(20_000)}`)).toMatchObject({
      status: 431,
      code: 'headers_too_large',
    });
  });

  it('for an existing resource with If-None-Match: * gets 304', async () => {
    const path = `/v1/design/${id}/cutout.png`;
    const first = await service.call(path);
    const held = await service.call(path, { headers: { 'if-none-match': '*' } });
    expect([held.status, held.headers.get('etag')]).toEqual([304, first.headers.get('etag')]);
    expect(first.headers.get('server-timing')).not.toBe('');
  });
});

describe('an error', () => {
  it.each([
    ['/recipeId', 'unknown_recipe', () => preview({ recipeId: 'Solid1_1_9999' })],
    ['/variant', 'unknown_variant', () => preview({ variant: '4:5' })],
    ['/variant', 'unknown_variant', () => preview({ recipeId: 'Studio001', variant: '7:7' })],
    ['/recipePreset', 'unknown_preset', () => suggest({ recipePreset: 'nobody' })],
    ['/filters/aspectRatio', 'unknown_variant', () => suggest({ filters: { aspectRatio: '7:7' } })],
    [
      '/mutations/images/primaryIllustration',
      'mutation_uri_rejected',
      () =>
        preview({
          recipeId: 'Studio001',
          mutations: { images: { primaryIllustration: { uri: 'https://example.com/a.webp' } } },
        }),
    ],
    [
      '/url',
      'source_url_blocked',
      () => service.call('/v1/design/image-upload-from-url', { json: { url: 'http://10.0.0.1/a.jpg' } }),
    ],
  ])('about the field %s names the field and has the code %s', async (pointer, code, call) => {
    const problem = await problemOf(await call());
    expect(problem).toMatchObject({ code, errors: [{ pointer, code, detail: problem.detail }] });
  });

  it('about a scene in another ratio names the variant', async () => {
    const { suggestedRecipeLists } = (await (await suggest({})).json()) as {
      suggestedRecipeLists: { recipes: object[] }[];
    };
    const problem = await problemOf(
      await preview({ ...suggestedRecipeLists[0]!.recipes[0], variant: '4:5' }),
    );
    expect(problem).toMatchObject({ code: 'invalid_mutation', errors: [{ pointer: '/variant' }] });
  });

  it('about a query parameter says that the field is in the query', async () => {
    const problem = await problemOf(await service.call(`/v1/design/${id}?wait=perhaps`));
    expect(problem).toMatchObject({ code: 'invalid_field', errors: [{ in: 'query', pointer: '/wait' }] });
  });
});
