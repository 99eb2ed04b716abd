/** The forms in which automation tools and older clients send a photo, to uploads and to drop-in interfaces. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, cratePhoto, jsonOf, problemOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
beforeAll(async () => {
  photo = await cratePhoto();
  service = await startService();
});
afterAll(() => service.stop());

const send = (path: string, body: Body, type?: string) =>
  service.call(path, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) });

/** A form written by hand: one part with this name, and with these further headers. */
const partOf = (name: string, headers = '', bytes: Buffer = photo) =>
  new Blob([
    `--x\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n`,
    new Uint8Array(bytes),
    '\r\n--x--\r\n',
  ]);
const form = 'multipart/form-data; boundary=x';

const forms: Record<string, (path: string) => Promise<Response>> = {
  'the body with an image type': (path) => send(path, new Uint8Array(photo), 'image/jpeg'),
  'the body without a known type': (path) => send(path, new Uint8Array(photo), 'application/octet-stream'),
  'a part without a file name or a type': (path) => send(path, partOf('file'), form),
  ...Object.fromEntries(
    ['file', 'image', 'image_file', 'photo', 'imageFile'].map((name) => [
      `a file in the field ${name}`,
      (path: string) => send(path, partOf(name, '; filename="a.jpg"'), form),
    ]),
  ),
};

describe.each([
  '/v1/design/image-upload',
  '/v1.0/removebg',
  '/v1/segment',
  '/v2/edit',
  '/v1/remove-background',
  '/api/remove',
])('%s', (path) => {
  it.each(Object.entries(forms))('takes %s', async (_, call) => {
    const answer = await call(path);
    expect([answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([200, '']);
  });
});

describe('a body without a photo', () => {
  it('gets one sentence about what came and what to send', async () => {
    const upload = '/v1/design/image-upload';
    const sentences = [
      await send(upload, '{"image": "a.jpg"}', 'application/json'),
      await send(upload, partOf('file', '', Buffer.from('@photo.jpg')), form),
      await send(upload, partOf('document', '; filename="a.jpg"'), form),
    ];
    const details = await Promise.all(sentences.map(async (answer) => (await problemOf(answer)).detail));
    expect(details).toEqual([
      expect.stringMatching(/^Send multipart\/form-data.* or the photo itself.*"application\/json"/),
      expect.stringMatching(/"file" is text: give it a file name/),
      expect.stringMatching(/no file in a field named "file".*"document"/),
    ]);
    const [removebg, segment, edit] = await Promise.all(
      ['/v1.0/removebg', '/v1/segment', '/v2/edit'].map(async (path) =>
        jsonOf(send(path, partOf('note', '', Buffer.from('hello')), form)),
      ),
    );
    expect(removebg.errors[0].detail).toMatch(/image_file.* The body contains "note"/);
    expect(segment.detail).toMatch(/"image_file".* The body contains "note"/);
    expect(edit.error.message).toMatch(/"note"/);
  });
});
