/** Signed picture URLs: pictures without a key, for pages, feeds and imports. */
import { createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPackshotClient, signPictureUrl } from '../../clients/typescript/src/packshot-client.ts';
import { launchBrowser, needsChromium } from '../browser/browser.ts';
import { printedBy } from './command.ts';
import { type PictureServer, servePictures } from './picture-server.ts';
import {
  cratePhoto,
  isScaled,
  jsonOf,
  problemOf,
  type Service,
  settingsOf,
  startService,
} from './service.ts';

let service: Service;
let pictures: PictureServer;
let id: string;
beforeAll(async () => {
  const photo = await cratePhoto();
  pictures = await servePictures({ '/mug.jpg': photo });
  service = await startService({ URL_ALLOW: pictures.host, SOURCE_HOSTS: '127.0.0.1', DRAW_AHEAD: 'off' });
  id = await service.upload(photo);
});
afterAll(async () => {
  await service.stop();
  await pictures.close();
});

const white = { recipeId: 'Solid1_1_0035', variant: '1:1' } as const;
const sign = (json: object, key?: string): Promise<{ url: string; path: string }> =>
  jsonOf(service.call('/v1/picture-urls', { json: { id, ...white, ...json }, ...(key && { key }) }));
const open = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method });
/** A picture that was just shown is shown again for a second without another look at its key and design. */
const untilSeen = (url: string, status: number) =>
  vi.waitUntil(async () => (await open(url)).status === status, { timeout: 10_000, interval: 100 });
const sizeOf = async (response: Response) => {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { width, height, format } = await sharp(await response.arrayBuffer()).metadata();
  return `${width}x${height} ${format}`;
};
const createKey = async (...input: string[]): Promise<{ key: string; id: string }> =>
  JSON.parse(
    await printedBy(['keys', 'create', '--name', 'shop', '--json', ...input], settingsOf(service.dataDir)),
  );

describe('a signed picture URL', () => {
  it('shows the picture without a key, with what a cache needs', async () => {
    const { url } = await sign({ width: 800, mutations: { layout: { margin: 0.05 } } });
    expect(url).toMatch(/\/ar_1x1-w_800-margin_0\.05\.jpg$/);
    const response = await open(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(response.headers.get('vary')).toBeNull();
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const etag = response.headers.get('etag')!;
    expect(await sizeOf(response)).toBe('800x800 jpeg');
    expect((await open(url, { 'if-none-match': etag })).status).toBe(304);
    const head = await open(url, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('etag')).toBe(etag);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
  });

  it('answers with the same picture as the render call', async () => {
    const { url } = await sign({});
    const rendered = await service.call('/v1/design/generated.jpeg', { json: { id, ...white } });
    const shown = await open(url);
    expect(shown.headers.get('etag')).toBe(rendered.headers.get('etag'));
    expect(rendered.headers.get('content-location')).toBe(url);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(Buffer.from(await rendered.arrayBuffer()));
  });

  it('is named by every render call and by the items of a batch', async () => {
    const recipe = { recipeId: 'Solid4_5_0012', variant: '4:5', mutations: { shadow: { kind: 'cast' } } };
    const preview = await service.call('/v1/design/preview.webp', { json: { id, ...recipe } });
    const url = preview.headers.get('content-location')!;
    expect(url).toMatch(/\/ar_4x5-w_640-h_640-shadow_cast\.webp$/);
    expect((await open(url)).headers.get('etag')).toBe(preview.headers.get('etag'));
    const tagged = await service.call('/v1/design/generated.jpeg', {
      json: { id, ...white, metadata: 'photo' },
    });
    expect(tagged.headers.get('content-location')).toBeNull();
    const { id: batch } = await jsonOf(service.call('/v1/jobs', { json: { items: [{ id, ...recipe }] } }));
    const page = await vi.waitUntil(
      async () => {
        const found = await jsonOf(service.call(`/v1/jobs/${batch}`));
        return found.status === 'completed' && found;
      },
      { timeout: 60_000, interval: 300 },
    );
    expect(await sizeOf(await open(page.items[0].url))).toBe('1600x2000 jpeg');
  });

  it('serves parts of the picture', async () => {
    const { url } = await sign({ width: 300 });
    const whole = Buffer.from(await (await open(url)).arrayBuffer());
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await open(url, { range, ...more });
      return [
        response.status,
        response.headers.get('content-range'),
        Buffer.from(await response.arrayBuffer()),
      ];
    };
    const total = whole.byteLength;
    expect(await part('bytes=10-19')).toEqual([206, `bytes 10-19/${total}`, whole.subarray(10, 20)]);
    expect(await part('bytes=-5')).toEqual([
      206,
      `bytes ${total - 5}-${total - 1}/${total}`,
      whole.subarray(-5),
    ]);
    expect(await part(`bytes=${total}-`)).toEqual([200, null, whole]);
    expect(await part('bytes=0-9', { 'if-range': '"another"' })).toEqual([200, null, whole]);
    expect(await part('lines=1-2')).toEqual([200, null, whole]);
  });

  it('chooses the format by Accept only if its ending is auto', async () => {
    const { url } = await sign({ width: 300, format: 'auto', recipeId: 'Transp001' });
    const shown = async (accept: string) => {
      const response = await open(url, { accept });
      expect(response.headers.get('vary')).toBe('Accept');
      return sizeOf(response);
    };
    expect(await shown('image/avif,image/webp,*/*')).toBe('300x300 heif');
    expect(await shown('image/webp,*/*')).toBe('300x300 webp');
    expect(await shown('*/*')).toBe('300x300 png');
  });

  it('can be signed by anyone who has the signing key', async () => {
    const client = createPackshotClient({ baseUrl: service.url, apiKey: service.key });
    const key = await client.pictureSigningKey();
    const picture = { source: id, recipe: 'Transp001' };
    const signed = await signPictureUrl(key, { ...picture, options: { dpr: 2, w: 100 }, suffix: 'png' });
    expect(await sizeOf(await open(signed))).toBe('200x200 png');
    // The same URL as the service writes, for a photo's URL as well.
    const source = `${pictures.url}/mug.jpg?size=l`;
    const body = { url: source, recipeId: 'Solid1_1_0035', variant: '4:5', width: 300 };
    const { url } = await jsonOf(service.call('/v1/picture-urls', { json: body }));
    const own = { source, recipe: 'Solid1_1_0035', options: { ar: '4x5', w: 300 } };
    expect(await signPictureUrl(key, own)).toBe(url);
    const { keyId, signingKey, base } = key;
    const unknown = `/${id}/Transp001/zoom_2.png`;
    const forUnknown = createHmac('sha256', signingKey).update(unknown).digest('base64url');
    const refused = await problemOf(await open(`${base}/p/${keyId}.${forUnknown}${unknown}`));
    expect(refused).toMatchObject({ status: 400, detail: expect.stringContaining('"zoom" is no option') });
  });

  it('is refused in one sentence if it was altered, has expired, or its key was revoked', async () => {
    const { key, id: keyId } = await createKey();
    const { id: theirs } = await jsonOf(
      service.call('/v1/design/image-upload-from-url', { json: { url: `${pictures.url}/mug.jpg` }, key }),
    );
    const { url } = await sign({ id: theirs, width: 320 }, key);
    expect((await open(url)).status).toBe(200);
    const { url: expired } = await sign({ id: theirs, expiresAt: '2020-01-01T00:00:00Z' }, key);
    const refusals = [
      await problemOf(await open(url.replace('w_320', 'w_330'))),
      await problemOf(await open(expired)),
    ];
    await printedBy(['keys', 'revoke', keyId], settingsOf(service.dataDir));
    await untilSeen(url, 403);
    refusals.push(await problemOf(await open(url)));
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 403, code: 'invalid_signature' });
    expect(new Set(refusals.map(({ detail }) => detail)).size).toBe(1);
  });

  it('charges the key that signed, once', async () => {
    const { key } = await createKey('--credits', '1');
    const { id: theirs } = await jsonOf(
      service.call('/v1/design/image-upload-from-url', { json: { url: `${pictures.url}/mug.jpg` }, key }),
    );
    const { url } = await sign({ id: theirs }, key);
    const many = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await jsonOf(service.call('/v1/credits', { key }))).toMatchObject({ remaining: 0, used: 1 });
  });

  it('shows a photo of a listed host, which is fetched and cut out once', async () => {
    const source = `${pictures.url}/mug.jpg?token=${'x'.repeat(6000)}`;
    const { url } = await sign({ id: undefined, url: source, width: 400 });
    const fetched = pictures.calls();
    expect(await sizeOf(await open(url))).toBe('400x400 jpeg');
    const { url: other } = await sign({ id: undefined, url: source, width: 200, recipeId: 'Transp001' });
    expect(await sizeOf(await open(other))).toBe('200x200 jpeg');
    expect(pictures.calls() - fetched).toBe(1);
    const { url: foreign } = await sign({ id: undefined, url: 'https://other.example/a.jpg' });
    expect(await problemOf(await open(foreign))).toMatchObject({ status: 422, code: 'source_url_blocked' });
  });

  it('is 404 once the design is deleted, and nothing of the picture is left', async () => {
    const own = await service.upload(await cratePhoto());
    const { url } = await sign({ id: own });
    expect((await open(url)).status).toBe(200);
    await service.call(`/v1/design/${own}`, { method: 'DELETE' });
    await untilSeen(url, 404);
    expect(await problemOf(await open(url))).toMatchObject({ status: 404, code: 'design_not_found' });
    if (!isScaled) {
      const left = await readdir(join(service.dataDir, 'blobs', 'designs')).catch(() => []);
      expect(left).not.toContain(own);
    }
  });

  it('shows a suggested scene', async () => {
    const answer = await jsonOf(
      service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
    );
    const [recipe] = answer.suggestedRecipeLists[0].recipes;
    const { url } = await sign({ ...recipe, id, title: undefined, width: 400 });
    expect(url).toContain('/ill_');
    expect((await sizeOf(await open(url))).split(' ')[1]).toBe('jpeg');
  });

  it.skipIf(needsChromium !== '')(
    `works in a plain <img> until its key is revoked${needsChromium}`,
    async () => {
      const { key, id: keyId } = await createKey();
      const { id: theirs } = await jsonOf(
        service.call('/v1/design/image-upload-from-url', { json: { url: `${pictures.url}/mug.jpg` }, key }),
      );
      const { url } = await sign({ id: theirs, width: 240, format: 'auto' }, key);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        await page.setContent(`<img src="${url}">`);
        await page.waitForFunction('document.querySelector("img").naturalWidth === 240');
        await printedBy(['keys', 'revoke', keyId], settingsOf(service.dataDir));
        await untilSeen(url, 403);
        // Other processes of the service may still have the picture, for up to a second.
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        // A visitor whose browser has not kept the picture.
        const other = await (await browser.newContext()).newPage();
        await other.setContent(`<img src="${url}">`);
        await other.waitForFunction(
          '(({ complete, naturalWidth }) => complete && naturalWidth === 0)(document.querySelector("img"))',
        );
      } finally {
        await browser.close();
      }
    },
  );
});
