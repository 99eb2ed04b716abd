import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, jsonOf, problemOf, type Service, startService, white } from './service.ts';

let origin: Server;
let originUrl: string;
let hits = 0;
let service: Service;

beforeAll(async () => {
  const photo = await cratePhoto();
  origin = createServer((request, response) => {
    hits++;
    if (request.url === '/photo.jpg') response.end(photo);
    else if (request.url === '/moved') response.writeHead(302, { location: '/photo.jpg' }).end();
    else if (request.url === '/page.html') response.end('<html></html>');
    else if (request.url === '/huge') response.end(Buffer.alloc(300_000));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  service = await startService({ URL_ALLOW: '127.0.0.1', MAX_FILE_BYTES: '200000' });
});
afterAll(async () => {
  await service.stop();
  origin.close();
});

const upload = (url: unknown, to = service) => to.call('/v1/design/image-upload-from-url', { json: { url } });

describe('POST /v1/design/image-upload-from-url', () => {
  it('fetches a photo, follows a redirect, and then continues like an upload', async () => {
    for (const path of ['/photo.jpg', '/moved']) {
      const response = await upload(originUrl + path);
      expect(response.status).toBe(200);
      const { id, image } = await jsonOf(response);
      expect(image).toMatchObject({ format: 'jpeg', width: 320 });
      expect((await service.call('/v1/design/preview.webp', { json: { id, ...white } })).status).toBe(200);
    }
  });

  it('leaves the photo as it is with `cutout: none`', async () => {
    const json = { url: `${originUrl}/photo.jpg`, cutout: 'none' };
    const { id } = await jsonOf(service.call('/v1/design/image-upload-from-url', { json }));
    const { subject } = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(subject).toMatchObject({ coverage: 1, touchesEdges: [], issues: [] });
  });

  it.each([
    ['a missing picture', '/nothing', 422, 'source_fetch_failed'],
    ['a page', '/page.html', 415, 'unsupported_image_format'],
    ['a file over the limit', '/huge', 413, 'file_too_large'],
  ])('refuses %s', async (_, path, status, code) => {
    expect(await problemOf(await upload(originUrl + path))).toMatchObject({ status, code });
  });

  it('refuses a missing URL and one of the wrong type, each with the code of its fault', async () => {
    expect(await problemOf(await upload(undefined))).toMatchObject({ status: 400, code: 'missing_field' });
    expect(await problemOf(await upload(7))).toMatchObject({ status: 400, code: 'invalid_field' });
  });

  it('never connects to a private address, and gives the same response whatever listens there', async () => {
    const strict = await startService();
    try {
      const before = hits;
      const details = new Set<string>();
      for (const url of [
        `${originUrl}/photo.jpg`,
        'http://127.0.0.1:1/closed',
        'http://169.254.169.254/latest/meta-data',
        'http://[::1]/x.png',
        'http://0x7f000001/x.png',
        'http://user:secret@example.com/x.png',
      ]) {
        const problem = await problemOf(await upload(url, strict));
        expect(problem, url).toMatchObject({ status: 422, code: 'source_url_blocked' });
        details.add(problem.detail);
      }
      expect(details.size).toBe(1);
      expect(hits).toBe(before);
      // What is no web address says nothing about a network, so its error may say what is wrong.
      for (const url of ['file:///etc/passwd', 'not a url']) {
        expect(await problemOf(await upload(url, strict))).toMatchObject({
          status: 400,
          code: 'invalid_field',
        });
      }
    } finally {
      await strict.stop();
    }
  });
});
