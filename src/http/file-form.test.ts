import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from './dependencies.ts';
import { readFormOnce } from './file-form.ts';
import { sendProblem } from './problem.ts';

const maxFileBytes = 5_000;
const server = Fastify() as unknown as Server;
beforeAll(async () => {
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  await server.register(multipart);
  server.post('/', async (request) => {
    const rate = { graceMs: 60_000, minBytesPerSecond: 0 };
    const { file, fields } = await readFormOnce(request, { rate, maxFileBytes })();
    return { text: file.bytes.toString(), fields: Object.fromEntries(fields) };
  });
});
afterAll(() => server.close());

interface Part {
  readonly name: string;
  readonly type?: string;
  readonly fileName?: string;
  readonly text: string;
}

function post(parts: readonly Part[], type = 'multipart/form-data') {
  const payload = parts
    .map(
      ({ name, type, fileName, text }) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${text}\r\n`,
    )
    .join('');
  const headers = { 'content-type': `${type}; boundary=b` };
  return server.inject({ method: 'POST', url: '/', headers, payload: `${payload}--b--\r\n` });
}

describe('a form', () => {
  it.each([
    ['a file name', { fileName: 'a.jpg' }],
    ['an image type and no file name', { type: 'image/jpeg' }],
    ['an image type in capitals', { type: 'Image/PNG' }],
    ['no known type', { type: 'application/octet-stream' }],
    ['a file name and an invalid type', { fileName: 'a', type: 'x' }],
  ])('may hold its file in a part named `file` that has %s', async (_, part) => {
    const response = await post([{ name: 'file', text: 'bytes', ...part }]);
    expect(response.json()).toEqual({ text: 'bytes', fields: {} });
  });

  it('keeps its text fields as text, even if their content type is a picture’s', async () => {
    const response = await post([
      { name: 'productKind', type: 'image/png', text: 'shoes' },
      { name: 'file', fileName: 'a.jpg', text: 'bytes' },
    ]);
    expect(response.json().fields).toEqual({ productKind: 'shoes' });
  });

  it.each([
    [[{ name: 'file', text: 'bytes' }], /"file" is text: give it a file name/],
    [[{ name: 'document', fileName: 'a.jpg', text: 'bytes' }], /It contains "document"\./],
    [[{ name: 'kind', text: 'x' }], /It contains "kind"\./],
    [[], /form/],
  ])('without a file gets the error missing_file, which explains what is wrong: %j', async (parts, words) => {
    const response = await post(parts);
    expect(response.json()).toMatchObject({ status: 400, code: 'missing_file' });
    expect(response.json().detail).toMatch(words);
  });

  it('is rejected if it has a field named `__proto__`, and the error names the field', async () => {
    const response = await post([
      { name: '__proto__', text: 'x' },
      { name: 'file', fileName: 'a.jpg', text: 'bytes' },
    ]);
    expect(response.json()).toMatchObject({
      code: 'invalid_field',
      detail: expect.stringContaining('__proto__'),
    });
  });

  it('is rejected if its file exceeds the size limit, and the error states the limit', async () => {
    const response = await post([{ name: 'file', fileName: 'a.jpg', text: 'x'.repeat(maxFileBytes + 1) }]);
    expect(response.json()).toMatchObject({ status: 413, detail: 'The file is larger than 5000 bytes.' });
  });

  it.each([
    ['in the same field', 'file'],
    ['in another field', 'mask'],
  ])('with a second file %s is rejected', async (_, name) => {
    const response = await post([
      { name: 'file', fileName: 'a.jpg', text: 'bytes' },
      { name, fileName: 'b.jpg', text: 'more bytes' },
    ]);
    expect(response.json()).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(response.json().detail).toContain('one file');
  });

  it('with only an unnamed part gets the error missing_file', async () => {
    const payload = '--b\r\nContent-Disposition: form-data; filename="a.jpg"\r\n\r\nbytes\r\n--b--\r\n';
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await server.inject({ method: 'POST', url: '/', headers: type, payload });
    expect(response.json()).toMatchObject({ status: 400, code: 'missing_file' });
  });

  it.each([
    ['a part header of 1 MB', `X-Long: ${'y'.repeat(1_000_000)}`],
    ['a thousand part headers', Array.from({ length: 1_000 }, () => 'a: b').join('\r\n')],
    ['a name of 8 KB', `Content-Disposition: form-data; name="${'n'.repeat(8_000)}"; filename="a.jpg"`],
  ])('with %s is refused', async (_, headers) => {
    const payload = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n${headers}\r\n\r\nbytes\r\n--b--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await server.inject({ method: 'POST', url: '/', headers: type, payload });
    expect(response.json()).toMatchObject({ status: 400 });
    expect(['invalid_field', 'missing_file']).toContain(response.json().code);
  });

  it('may have a long file name, and a few long text fields before its file', async () => {
    const fields = Array.from({ length: 8 }, (_, index) => ({
      name: `field${index}`,
      text: 'y'.repeat(5_000),
    }));
    const response = await post([
      ...fields,
      { name: 'file', fileName: `${'ä'.repeat(500)}.jpg`, text: 'bytes' },
    ]);
    expect(response.statusCode).toBe(200);
    expect(Object.keys(response.json().fields)).toHaveLength(8);
  });
});
