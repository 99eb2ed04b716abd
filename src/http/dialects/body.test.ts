import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishedLimits } from '../../config.ts';
import type { Server } from '../dependencies.ts';
import { addJsonBodies } from '../json-body.ts';
import { sendProblem } from '../problem.ts';
import { readBody } from './body.ts';

const upload = { graceMs: 60_000, minBytesPerSecond: 0 };
const published = { image: { maxBytes: 5_000 }, upload } as PublishedLimits;
const server = Fastify() as unknown as Server;
beforeAll(async () => {
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  addJsonBodies(server, upload);
  await server.register(multipart);
  server.post('/', { config: { readsBody: true } }, async (request) => {
    const { text, files } = await readBody(request, published);
    const sizes = [...files].map(([name, { bytes }]) => [name, bytes.length]);
    return { text: Object.fromEntries(text), files: Object.fromEntries(sizes) };
  });
});
afterAll(() => server.close());

const post = (payload: string, type: string) =>
  server.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': type } });
const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`;
const photo = Buffer.alloc(3_000, 1).toString('base64');

describe('a body of a drop-in interface', () => {
  it.each([
    ['JSON', JSON.stringify({ image_file_b64: photo, size: 'full', shadow_type: { car: 'drop' } })],
    ['JSON', `\uFEFF \r\n{"size":"full","shadow_type":{"car":"drop"},"image_file_b64":"${photo}","x":""}`],
    [
      'a form',
      new URLSearchParams({ image_file_b64: photo, size: 'full', 'shadow_type[car]': 'drop' }).toString(),
    ],
    [
      'multipart',
      form(part('size', 'full'), part('image_file_b64', photo), part('shadow_type[car]', 'drop')),
    ],
  ])('has the same fields as %s', async (kind, payload) => {
    const type =
      kind === 'multipart' ? 'multipart/form-data; boundary=b' : 'application/x-www-form-urlencoded';
    expect((await post(payload, type)).json()).toEqual({
      text: { size: 'full', 'shadow_type[car]': 'drop' },
      files: { image_file_b64: 3_000 },
    });
  });

  const many = Array.from({ length: 150 }, (_, i) => `f${i}`);
  it.each([
    ['a list', 'application/json', '{"a":[1]}', 'malformed_json'],
    ['three levels', 'application/json', '{"a":{"b":{"c":1}}}', 'malformed_json'],
    [
      '150 fields',
      'application/json',
      JSON.stringify(Object.fromEntries(many.map((name) => [name, 1]))),
      'malformed_json',
    ],
    ['150 fields', 'application/x-www-form-urlencoded', many.join('=1&'), 'malformed_json'],
    [
      '150 parts',
      'multipart/form-data; boundary=b',
      form(...many.map((name) => part(name, '1'))),
      'invalid_field',
    ],
    ['a text of 70 kB', 'application/json', JSON.stringify({ size: 'x'.repeat(70_000) }), 'body_too_large'],
    ['a text of 70 kB', 'application/x-www-form-urlencoded', `size=${'x'.repeat(70_000)}`, 'body_too_large'],
    [
      'a text of 70 kB',
      'multipart/form-data; boundary=b',
      form(part('size', 'x'.repeat(70_000))),
      'body_too_large',
    ],
    ['a long name', 'multipart/form-data; boundary=b', form(part('n'.repeat(9_000), '1')), 'invalid_field'],
    [
      'a photo that is too large',
      'application/json',
      JSON.stringify({ image_file_b64: 'A'.repeat(7_000) }),
      'file_too_large',
    ],
    [
      'a photo that is too large',
      'application/x-www-form-urlencoded',
      `image_file_b64=${'A'.repeat(7_000)}`,
      'file_too_large',
    ],
    [
      'a photo that is too large',
      'multipart/form-data; boundary=b',
      form(part('image_file_b64', 'A'.repeat(7_000))),
      'file_too_large',
    ],
    [
      'a file that is too large',
      'multipart/form-data; boundary=b',
      form(part('image_file', 'A'.repeat(5_001))),
      'file_too_large',
    ],
  ])('with %s is refused as %s, in few words', async (_, type, payload, code) => {
    const response = await post(payload, type);
    expect(response.json().code).toBe(code);
    expect(response.body.length).toBeLessThan(600);
  });
});
