import fc from 'fast-check';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { holdsPicture, type ImageAnswer, knownEtags, sendImage } from './image-answer.ts';

const answer: ImageAnswer = {
  bytes: Buffer.from('before|picture|after').subarray(7, 14),
  contentType: 'image/webp',
  etag: '"abc"',
  timings: [
    { step: 'layout', durationMs: 1.26 },
    { step: 'compose', durationMs: 20 },
  ],
  warnings: [],
};
async function ask(parts: Partial<ImageAnswer>) {
  const server = Fastify();
  server.get('/', (_request, reply) => sendImage(reply, { ...answer, ...parts }));
  return server.inject('/');
}
const etagsIn = (header: string | undefined) =>
  knownEtags({ headers: { 'if-none-match': header } } as unknown as Parameters<typeof knownEtags>[0]);

describe('a picture’s response', () => {
  it('has its bytes, type, validator and step timings', async () => {
    const { statusCode, headers, body } = await ask({});
    expect(statusCode).toBe(200);
    expect(body).toBe('picture');
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': '7',
      etag: '"abc"',
      'cache-control': 'private, no-cache',
      'server-timing': 'layout;dur=1.3, compose;dur=20.0',
    });
    expect(headers).not.toHaveProperty('x-packshot-notice');
  });

  it('has no Server-Timing header without step timings', async () => {
    expect((await ask({ timings: [] })).headers).not.toHaveProperty('server-timing');
  });

  it('is a 304 without bytes if the caller already has the picture', async () => {
    const { statusCode, headers, body } = await ask({ bytes: null });
    expect([statusCode, body]).toEqual([304, '']);
    expect(headers).toMatchObject({ etag: '"abc"' });
  });

  it('has its deviations from the request as a list in a header, not in `Warning`, which is retired', async () => {
    const { headers } = await ask({
      warnings: [
        { code: 'upscaled', detail: 'Small.' },
        { code: 'transparency_flattened', detail: 'White.' },
      ],
    });
    expect(headers).not.toHaveProperty('warning');
    expect(headers['x-packshot-notice']).toBe(
      'upscaled;detail="Small.", transparency_flattened;detail="White."',
    );
  });
});

describe('If-None-Match', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['*', []],
    ['"abc"', ['"abc"']],
    ['W/"abc", "d,e" , "f"', ['"abc"', '"d,e"', '"f"']],
    ['abc', []],
    ['"torn', []],
  ])('%j contains %j', (header, etags) => {
    expect(etagsIn(header)).toEqual(etags);
  });

  it.each([
    ['*', true],
    [' * ', true],
    ['"other", "abc"', true],
    ['"other"', false],
    ['"*"', false],
    [undefined, false],
  ])('%j matches a picture with the ETag "abc": %j', (header, held) => {
    const request = { headers: { 'if-none-match': header } } as Parameters<typeof holdsPicture>[0];
    expect(holdsPicture(request, '"abc"')).toBe(held);
  });

  it('finds every ETag in any list of ETags', () => {
    const etag = fc.base64String({ maxLength: 30 }).map((text) => `"${text}"`);
    fc.assert(
      fc.property(fc.array(etag, { maxLength: 8 }), (etags) => {
        expect(etagsIn(etags.join(', '))).toEqual(etags);
      }),
      { seed: 5 },
    );
  });
});
