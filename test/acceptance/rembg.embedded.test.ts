/** `/api/remove` as clients of rembg's server call it, with our key and on a separate port without one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PictureServer, servePictures } from './picture-server.ts';
import { cratePhoto, emptyPhoto, formWith, isScaled, jsonOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
let pictures: PictureServer;
beforeAll(async () => {
  photo = await cratePhoto();
  pictures = await servePictures({ '/photo.jpg': photo, '/around': { location: '/around' } });
  service = await startService({ URL_ALLOW: pictures.host });
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

const post = (fields: Record<string, string> = {}, query = '', file = photo) => {
  const form = formWith(file);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return service.call(`/api/remove${query}`, { method: 'POST', body: form });
};

async function pixels(response: Response) {
  expect(response.status, await response.clone().text()).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await response.arrayBuffer());
  const { channels: own } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4),
  ];
  return { own, width: info.width, height: info.height, at, data };
}

const isPaper = ([r = 0, g = 0, b = 0]: number[]) => Math.min(r, g, b) > 200;

describe('/api/remove', () => {
  it("returns a PNG of the photo's own size, and names the engine", async () => {
    const response = await post({ model: 'birefnet-general', a: 'true', af: '240', ab: '10', ae: '10' });
    expect(response.headers.get('x-packshot-engine')).toBe('keyer');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const { width, height, at } = await pixels(response);
    expect([width, height, at(5, 5)[3], at(160, 120)[3]]).toEqual([320, 240, 0, 255]);
  });

  it('returns an empty picture of the same size for a photo without a subject, as a script over a folder expects', async () => {
    const empty = await pixels(await post({}, '', await emptyPhoto()));
    expect([empty.width, empty.height, empty.data.every((value) => value === 0)]).toEqual([320, 240, true]);
    const mask = await pixels(await post({ om: 'true' }, '', await emptyPhoto()));
    expect([mask.own, mask.at(160, 120)[0]]).toEqual([1, 0]);
    const green = await pixels(await post({ bgc: '0,255,0' }, '', await emptyPhoto()));
    expect(green.at(160, 120)).toEqual([0, 255, 0, 255]);
  });

  it('fetches a photo from its URL, with all parameters in the query', async () => {
    const url = encodeURIComponent(`${pictures.url}/photo.jpg`);
    const { own, at } = await pixels(await service.call(`/api/remove?url=${url}&om=yes`));
    expect([own, at(5, 5).slice(0, 3), at(160, 120).slice(0, 3)]).toEqual([1, [0, 0, 0], [255, 255, 255]]);
  });

  it.each(['true', '1', 'on', 'Yes', 'T', 'y'])('reads %s as true', async (om) => {
    expect((await pixels(await post({ om }))).own).toBe(1);
  });

  it('reads every field from the form or the query', async () => {
    expect((await pixels(await post({}, '?om=true'))).own).toBe(1);
    for (const picture of [
      await pixels(await post({ bgc: '10,200,30,255' })),
      await pixels(await post({}, '?bgc=10,200,30,255')),
    ])
      expect(picture.at(5, 5)).toEqual([10, 200, 30, 255]);
    expect((await pixels(await post({ bgc: '10,200,30,128' }))).at(5, 5)).toEqual([10, 200, 30, 128]);
    expect((await pixels(await post({ bgc: '10,200,30' }))).at(5, 5)).toEqual([10, 200, 30, 255]);
  });

  it('keeps the photo’s colors in transparent areas with `putalpha`, and ignores broken `extras`', async () => {
    const kept = await pixels(await post({ extras: '{"putalpha": true}' }));
    expect([isPaper(kept.at(5, 5)), kept.at(5, 5)[3]]).toEqual([true, 0]);
    const broken = await pixels(await post({ extras: '{"putalpha": tr' }));
    expect(broken.at(5, 5)).toEqual([0, 0, 0, 0]);
  });

  it('returns a binary matte with `ppm`', async () => {
    const { data } = await pixels(await post({ om: 'true', ppm: 'true' }));
    expect([...new Set(data.filter((_, index) => index % 4 === 0))].sort()).toEqual([0, 255]);
    const cutout = await pixels(await post({ ppm: 'true' }));
    expect([...new Set(cutout.data.filter((_, index) => index % 4 === 3))].sort()).toEqual([0, 255]);
  });

  it.each([
    [
      'missing',
      ['body', 'file'],
      () => service.call('/api/remove', { method: 'POST', body: new FormData() }),
    ],
    ['missing', ['query', 'url'], () => service.call('/api/remove')],
    ['string_pattern_mismatch', ['body', 'model'], () => post({ model: 'no-such' })],
    ['int_parsing', ['body', 'af'], () => post({ af: 'much' })],
    ['greater_than_equal', ['body', 'ab'], () => post({ ab: '-1' })],
    ['less_than_equal', ['query', 'af'], () => post({}, '?af=256')],
    ['bool_parsing', ['body', 'om'], () => post({ om: 'perhaps' })],
    ['value_error', ['body', 'bgc'], () => post({ bgc: '1,2' })],
  ])('reports %s at %s like FastAPI', async (type, loc, call) => {
    const response = await call();
    const { detail } = await jsonOf(response);
    expect([response.status, detail[0].type, detail[0].loc]).toEqual([422, type, loc]);
    expect(detail[0].msg).toBeTypeOf('string');
  });

  it.each([
    [
      'Only http and https URLs are allowed.',
      400,
      () => service.call('/api/remove?url=ftp://example.com/a.jpg'),
    ],
    ['Invalid URL: missing hostname.', 400, () => service.call('/api/remove?url=http://')],
    [
      'Requests to private/internal addresses are not allowed.',
      400,
      () => service.call('/api/remove?url=http://10.0.0.1/a.jpg'),
    ],
    ['Too many redirects.', 400, () => service.call(`/api/remove?url=${pictures.url}/around`)],
    ['The file is damaged', 400, () => post({}, '', photo.subarray(0, 900))],
    ['The file is not JPEG', 400, () => post({}, '', Buffer.from('no picture'))],
    ['Not Found', 404, () => service.call('/api/nothing')],
    ['Method Not Allowed', 405, () => service.call('/api/remove', { method: 'DELETE' })],
    ['Send your key', 401, () => service.call('/api/remove', { method: 'POST', key: null })],
  ])('responds "%s" with status %i', async (words, status, call) => {
    const response = await call();
    const { detail } = await jsonOf(response);
    expect([response.status, detail.slice(0, words.length)]).toEqual([status, words]);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('has an HTML page for browsers at /api', async () => {
    const response = await service.call('/api');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });
});

// Uses a second service, with a port for rembg. Skipped in the setting `scaled`: only the api process opens this port.
describe.skipIf(isScaled)('a port without a key', () => {
  let open: Service;
  let url: string;
  beforeAll(async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    url = `http://127.0.0.1:${port}`;
    open = await startService({ REMBG_PORT: String(port) });
  });
  afterAll(() => open.stop());

  it('serves /api/remove, the same call at / for very old clients, and the page', async () => {
    for (const path of ['/api/remove', '/']) {
      const response = await fetch(url + path, { method: 'POST', body: formWith(photo) });
      expect((await pixels(response)).at(5, 5)[3]).toBe(0);
    }
    expect((await fetch(`${url}/api`)).status).toBe(200);
    const asked = await fetch(`${url}/api/remove`, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });

  it('responds to everything else with errors in the format of rembg', async () => {
    for (const path of ['/v1/limits', '/v1.0/account', '/healthz', '/v1/recipes']) {
      const response = await fetch(url + path, { headers: { 'x-api-key': open.key } });
      expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
    }
    const method = await fetch(url, { method: 'DELETE' });
    expect([method.status, await method.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  });

  it('leaves the main port protected by its key', async () => {
    expect(
      (await open.call('/api/remove', { method: 'POST', body: formWith(photo), key: null })).status,
    ).toBe(401);
  });

  it("can be another Packshot's removal engine", async () => {
    const second = await startService({ REMOVAL_ENGINE: 'http', REMOVAL_URL: url });
    try {
      const id = await second.upload(photo);
      const cutout = await second.call(`/v1/design/${id}/cutout.png`);
      const { width, at } = await pixels(cutout);
      expect([width, at(5, 5)[3], at(160, 120)[3]]).toEqual([320, 0, 255]);
    } finally {
      await second.stop();
    }
  });
});

it('/api/remove can be a removal engine for another Packshot, which sends the key in a header', async () => {
  const second = await startService({
    REMOVAL_ENGINE: 'http',
    REMOVAL_URL: service.url,
    REMOVAL_HEADERS: `X-Api-Key: ${service.key}`,
  });
  try {
    const id = await second.upload(photo);
    const { at } = await pixels(await second.call(`/v1/design/${id}/cutout.png`));
    expect([at(5, 5)[3], at(160, 120)[3]]).toEqual([0, 255]);
  } finally {
    await second.stop();
  }
});
