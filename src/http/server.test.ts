import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccountStore } from '../accounts/account-store.ts';
import { createAuthenticator } from '../accounts/authenticate.ts';
import type { PublishedLimits } from '../config.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import type { Server, ServerDependencies } from './dependencies.ts';
import { createServer } from './server.ts';

const published: PublishedLimits = {
  image: { maxBytes: 9_999, maxPixels: 1, maxAvifPixels: 1, minSidePx: 16, maxSidePx: 99 },
  upload: { graceMs: 60_000, minBytesPerSecond: 0, timeoutMs: 60_000, inMemory: 2 },
  requests: { jsonBytes: 2_000, batchBytes: 2_000, batchItems: 2, promptChars: 10 },
  looks: 100,
  batchFormBytes: 9_999,
  waiting: { cutouts: 1, renders: 1, batchItems: 1 },
  rate: { perSecond: 1, burst: 2 },
  inFlight: 2,
  urlFetchTimeoutMs: 1,
  urlFetchRedirects: 1,
  deadlineMs: { preview: 1, generated: 1 },
  dialectDeadlinesMs: { removebg: 1, rembg: 1, photoroom: 1 },
  retentionMs: null,
};

const secret = 'a-key-for-the-tests-of-the-server';
let opened: TemporaryDatabase;
let server: Server;
let port: number;
beforeAll(async () => {
  opened = await openTemporaryDatabase();
  const accounts = createAccountStore(opened.database, Date.now);
  await accounts.ensureKey(secret, 'test');
  const limits = { ratePerSecond: 1_000, rateBurst: 1_000, wrongKeysPerMinute: 1_000, ratePatienceS: 0 };
  // The tests' calls never reach an endpoint's own work, so only the dependencies that are used before it are needed.
  const rooms = {
    authenticate: createAuthenticator(accounts, limits, Date.now),
    answerOnce: async (_: unknown, { work }: { work: () => unknown }) => work(),
    backdrops: { keepBackdrop: ({ readBytes }: { readBytes: () => unknown }) => readBytes() },
    metrics: { observeRequest: () => undefined },
    published,
  } as unknown as ServerDependencies;
  server = await createServer(rooms, {
    requestTimeoutMs: 60_000,
    trustedProxies: 0,
    logLevel: 'silent',
    publicUrl: undefined,
    makePageKey: undefined,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await server.close();
  await opened.close();
});

type Method = 'GET' | 'POST' | 'PUT' | 'OPTIONS' | 'DELETE';
const ask = (
  method: Method,
  url: string,
  headers: Record<string, string> = { 'x-api-key': secret },
  payload?: string | Buffer,
) => server.inject({ method, url, headers, ...(payload !== undefined && { payload }) });

/** Calls over a raw connection, because `inject` does not show the responses of Node's HTTP server itself. */
async function askRaw(head: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(head);
  const answer = await text(socket);
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), top: top.toLowerCase(), problem: JSON.parse(body) };
}

describe('a known path with an unsupported method', () => {
  it.each([
    ['PUT', '/v1/limits', 'GET, HEAD'],
    ['GET', '/v1/design/suggest', 'POST'],
    ['OPTIONS', '/v1/design/suggest', 'POST'],
    ['OPTIONS', '/v1/design/dsg_1', 'GET, HEAD, DELETE'],
    ['POST', '/v1/design/dsg_1', 'GET, HEAD, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/readyz', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['PUT', '/v1/illustrations/x', 'GET, HEAD, DELETE'],
  ] as const)('%s %s is 405 with a list of the supported methods', async (method, url, allow) => {
    const response = await ask(method, url);
    expect(response.json()).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(String(response.headers.allow).split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
    expect(response.json().detail).toContain(response.headers.allow);
  });

  it('is 405 for OPTIONS even without a key, as browsers send it; other methods need a key', async () => {
    expect((await ask('OPTIONS', '/v1/limits', {})).json().code).toBe('method_not_allowed');
    expect((await ask('PUT', '/v1/limits', {})).json().code).toBe('missing_api_key');
  });

  it('is 405 for a method of an HTTP extension, such as PROPFIND', async () => {
    const head = `PROPFIND /v1/design/suggest HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nConnection: close\r\n\r\n`;
    const { status, top, problem } = await askRaw(head);
    expect([status, problem.code]).toEqual([405, 'method_not_allowed']);
    expect(top).toContain('allow: post');
  });
});

describe('an unknown path', () => {
  it.each([
    ['/v1/design/generated.jpg', '/v1/design/generated.jpeg'],
    ['/v1/design/preview.gif', '/v1/design/preview.webp'],
    ['/v1/design/Generated.JPEG', '/v1/design/generated.jpeg'],
    ['/v1/design/image_upload', 'image-upload'],
  ])('POST %s is 404 and suggests %s', async (url, meant) => {
    const problem = (await ask('POST', url)).json();
    expect(problem).toMatchObject({ status: 404, code: 'unknown_path' });
    expect(problem.detail).toContain(meant);
  });

  it.each([
    ['POST', '/v1/design/image_upload', 404, 'unknown_path'],
    ['POST', '/nothing', 404, 'unknown_path'],
    ['PUT', '/v1/design/suggest', 405, 'method_not_allowed'],
  ] as const)('%s %s is refused before its body is read as JSON', async (method, url, status, code) => {
    const headers = { 'x-api-key': secret, 'content-type': 'image/jpeg' };
    const response = await server.inject({ method, url, headers, payload: 'not JSON' });
    expect(response.json()).toMatchObject({ status, code });
  });

  it('counts toward the key’s rate limit, which the response reports', async () => {
    const response = await ask('GET', '/v1/nothing');
    expect(response.json().code).toBe('unknown_path');
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'ratelimit-limit': '1000' });
    expect((await ask('GET', '/v1/nothing', { 'x-api-key': 'wrong' })).json().code).toBe('invalid_api_key');
    expect((await ask('GET', '/v1/nothing', {})).json().code).toBe('unknown_path');
  });

  it('is 404 also if a segment of it is longer than any valid name', async () => {
    expect((await ask('GET', `/v1/design/${'x'.repeat(101)}`)).json()).toMatchObject({
      status: 404,
      code: 'unknown_path',
    });
  });
});

describe('a body', () => {
  const suggest = '/v1/design/suggest';
  const body = JSON.stringify({ id: 'x', recipePreset: 5 });

  it.each(['gzip', 'GZIP', 'br', 'deflate, gzip'])(
    'that is compressed with %s is rejected as unsupported_encoding',
    async (encoding) => {
      const headers = {
        'x-api-key': secret,
        'content-encoding': encoding,
        'content-type': 'application/json',
      };
      const response = await ask('POST', suggest, headers, gzipSync(body));
      expect(response.json()).toMatchObject({
        status: 415,
        code: 'unsupported_encoding',
        detail: expect.stringContaining('without Content-Encoding'),
      });
      expect(response.headers['accept-encoding']).toBe('identity');
    },
  );

  it('with the encoding identity is read', async () => {
    const headers = { 'x-api-key': secret, 'content-encoding': 'identity' };
    expect((await ask('POST', suggest, headers, body)).json().errors[0].pointer).toBe('/recipePreset');
  });

  it.each(['Multipart/Form-Data', 'MULTIPART/form-data ', 'multipart/form-data'])(
    'of the type %s is a form',
    async (type) => {
      const headers = { 'x-api-key': secret, 'content-type': `${type}; boundary=AbC` };
      const form = '--AbC\r\nContent-Disposition: form-data; name="photo"\r\n\r\nx\r\n--AbC--\r\n';
      const response = await ask('POST', '/v1/illustrations', headers, form);
      expect(response.json()).toMatchObject({
        code: 'missing_file',
        detail: expect.stringContaining('"photo"'),
      });
    },
  );
});

describe('a request that Node itself would reject', () => {
  it('gets a problem document if its headers are too large', async () => {
    const { status, top, problem } = await askRaw(
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect([status, problem.status, problem.code]).toEqual([431, 431, 'headers_too_large']);
    expect(top).toContain(`x-request-id: ${problem.requestId.toLowerCase()}`);
  });

  it('gets a problem document if its Expect header is unsupported', async () => {
    const { status, top, problem } = await askRaw(
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\nConnection: close\r\n\r\n',
    );
    expect([status, problem.status, problem.code]).toEqual([417, 417, 'expectation_failed']);
    expect(top).toContain('application/problem+json');
  });
});
