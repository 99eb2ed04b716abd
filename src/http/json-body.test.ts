import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from './dependencies.ts';
import { addJsonBodies } from './json-body.ts';
import { sendProblem } from './problem.ts';

const server = Fastify({ bodyLimit: 256 * 1024 }) as unknown as Server;
beforeAll(async () => {
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  addJsonBodies(server, { graceMs: 60_000, minBytesPerSecond: 0 });
  server.post('/', async ({ body }) => ({ body: body ?? null }));
});
afterAll(() => server.close());

const post = (payload: string | Buffer, type?: string) =>
  server.inject({ method: 'POST', url: '/', payload, headers: type ? { 'content-type': type } : {} });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a JSON body', () => {
  it.each([
    undefined,
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'no/type;;;',
    'x',
  ])('is read with the content type %s', async (type) => {
    expect((await post('{"id":"a"}', type)).json()).toEqual({ body: { id: 'a' } });
  });

  it('is parsed unchanged, whatever it contains', async () => {
    const plain = fc
      .jsonValue({ maxDepth: 6 })
      .filter((value) => value !== null && !/"(__proto__|constructor)"/.test(JSON.stringify(value)));
    await fc.assert(
      fc.asyncProperty(plain, async (value) => {
        const text = JSON.stringify(value);
        expect((await post(text)).body).toBe(JSON.stringify({ body: JSON.parse(text) }));
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it('of any bytes is read or rejected as malformed_json', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), async (bytes) => {
        const response = await post(Buffer.from(bytes));
        if (response.statusCode !== 200)
          expect(response.json()).toMatchObject({ status: 400, code: 'malformed_json' });
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it.each([
    ['that is truncated', '{"id":'],
    ['with a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['that would change an object’s prototype', '{"__proto__":{"admin":true}}'],
    [
      'that would change the prototype of a nested object',
      '{"a":[{"constructor":{"prototype":{"admin":true}}}]}',
    ],
    ['nested deeper than 32 levels', nested(33)],
    ['nested 100,000 levels deep', '['.repeat(100_000)],
  ])('%s is rejected as malformed_json', async (_, payload) => {
    expect((await post(payload)).json()).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  it.each([
    ['{"id": x}', 'The body is not valid JSON: "x" is not expected.'],
    ['{"id": 1,\n  "b" 2}', 'The body is not valid JSON at line 2, column 7.'],
    ['{"id":', 'The body is not valid JSON: it breaks off.'],
    [
      '{"a":{"__proto__":1}}',
      'The body has a field named "__proto__" or "constructor", which is never accepted.',
    ],
  ])('%s gets an error that describes the fault', async (payload, detail) => {
    expect((await post(payload)).json()).toMatchObject({ detail });
  });

  it('may be nested 32 levels deep, and begin with a byte order mark', async () => {
    expect((await post(nested(32))).statusCode).toBe(200);
    expect((await post('\uFEFF{"id":"a"}')).json()).toEqual({ body: { id: 'a' } });
  });

  it('over 256 KB is body_too_large, but not at exactly 256 KB', async () => {
    const ofSize = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await post(ofSize(256 * 1024))).statusCode).toBe(200);
    expect((await post(ofSize(256 * 1024 + 1))).json()).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  it('may be empty', async () => {
    expect((await server.inject({ method: 'POST', url: '/' })).json()).toEqual({ body: null });
  });
});
