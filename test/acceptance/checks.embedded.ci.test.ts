/** The listing check: of renders, of any picture, and on the command line. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPackshotClient, type Marketplace } from '../../clients/typescript/src/packshot-client.ts';
import { packshot, packshotProcess } from './command.ts';
import {
  cratePhoto,
  formWith,
  jsonOf,
  problemOf,
  type Service,
  settingsOf,
  startService,
} from './service.ts';

const marketplaces: Marketplace[] = [
  'amazon',
  'google',
  'walmart',
  'ebay',
  'bol',
  'otto',
  'tiktok',
  'shopify',
  'etsy',
];

let service: Service;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = await service.upload(await cratePhoto({ width: 640, height: 480 }));
});
afterAll(() => service.stop());

const checkRender = (query: string) => service.call(`/v1/design/${id}/check?${query}`);
const checkPicture = (picture: Buffer, marketplace?: string, name = 'picture.jpg') => {
  const form = formWith(picture, 'file', name);
  if (marketplace !== undefined) form.append('marketplace', marketplace);
  return service.call('/v1/checks', { method: 'POST', body: form });
};
const full = async (recipeId: string) => {
  const body = JSON.stringify({ id, recipeId, variant: '1:1' });
  return Buffer.from(
    await (await service.call('/v1/design/generated.jpeg', { method: 'POST', body })).arrayBuffer(),
  );
};

describe('GET /v1/design/{id}/check', () => {
  it('reports that the product on plain white is too small for Amazon, and names the recipe that passes', async () => {
    const response = await checkRender('marketplace=amazon&recipeId=Solid1_1_0035&variant=1:1');
    expect(response.status).toBe(200);
    const { passes, measures, checks } = await jsonOf(response);
    expect(passes).toBe(false);
    expect(measures).toMatchObject({ format: 'jpeg', widthPx: 2000, cornerDarkest: 255, ringWhiteShare: 1 });
    expect(measures.fillShare).toBeCloseTo(0.82, 2);
    expect(checks[0]).toMatchObject({
      marketplace: 'amazon',
      verdict: 'fails',
      summary: 'Amazon, main image: fails our checks (fill).',
      fix: { recipeId: 'Listing_amazon_main', variant: '1:1', id },
    });
  });

  it.each(marketplaces)(
    "reports that a picture with the marketplace's own recipe passes the check for %s",
    async (marketplace) => {
      const { checks, passes } = await jsonOf(checkRender(`marketplace=${marketplace}`));
      expect(checks[0].summary).toMatch(/: passes our checks.*; text, logos and props are not checked\.$/);
      expect({ passes, fix: checks[0].fix }).toEqual({ passes: true, fix: null });
    },
  );

  it('names a fix that takes a single call, and the picture that this call returns passes', async () => {
    const { checks } = await jsonOf(checkRender('marketplace=otto&recipeId=Surface001'));
    const { recipeId, variant, path } = checks[0].fix;
    const made = await service.call(path, {
      method: 'POST',
      body: JSON.stringify({ id, recipeId, variant }),
    });
    const again = await jsonOf(checkPicture(Buffer.from(await made.arrayBuffer()), 'otto'));
    expect(again.passes).toBe(true);
  });

  it('accepts mutations and other formats', async () => {
    const mutations = encodeURIComponent(JSON.stringify({ layout: { margin: 0.06 } }));
    const query = `marketplace=amazon,google&recipeId=Solid1_1_0035&format=png&mutations=${mutations}`;
    expect((await jsonOf(checkRender(query))).passes).toBe(true);
    expect((await jsonOf(checkRender('marketplace=amazon&format=webp'))).checks[0].summary).toMatch(/format/);
  });

  it.each([
    ['no marketplace', ''],
    ['an unknown marketplace', 'marketplace=zalando'],
    ['mutations that are not JSON', 'marketplace=amazon&mutations={'],
    ['mutations that are unknown', 'marketplace=amazon&mutations={"a":1}'],
  ])('refuses %s', async (_, query) => {
    expect((await problemOf(await checkRender(query))).status).toBe(400);
  });

  it('refuses unknown designs and recipes', async () => {
    const other = await service.call('/v1/design/dsg_0000000000000000000000/check?marketplace=amazon');
    expect(await problemOf(other)).toMatchObject({ status: 404, code: 'design_not_found' });
    const recipe = await checkRender('marketplace=amazon&recipeId=Nope');
    expect(await problemOf(recipe)).toMatchObject({ status: 404, code: 'unknown_recipe' });
  });
});

describe('POST /v1/checks', () => {
  it('measures any picture, such as one from another service or a phone', async () => {
    const scene = await jsonOf(checkPicture(await cratePhoto(), 'amazon,shopify'));
    expect(scene.checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['fails', 'passes']);
    expect(scene.checks[0].fix).toMatchObject({ recipeId: 'Listing_amazon_main', id: null });
    expect(scene.checks[0].notChecked).toContain('text, logos, watermarks and seals on the picture');
    const heic = await readFile(new URL('../fixtures/heic/crate.heic', import.meta.url));
    const { measures, checks } = await jsonOf(checkPicture(heic, 'amazon'));
    expect(measures).toMatchObject({ format: 'heic', bytes: heic.length });
    expect(checks[0].summary).toContain('format');
  });

  it('needs a marketplace and a picture', async () => {
    expect(await problemOf(await checkPicture(await cratePhoto()))).toMatchObject({
      status: 400,
      code: 'invalid_field',
    });
    expect((await problemOf(await checkPicture(Buffer.from('a text'), 'amazon'))).status).toBe(415);
    const empty = await service.call('/v1/checks', { method: 'POST', body: '{}' });
    expect(await problemOf(empty)).toMatchObject({ code: 'missing_file' });
  });

  it('works with the TypeScript client', async () => {
    const client = createPackshotClient({ baseUrl: service.url, apiKey: service.key });
    expect((await client.checkRender(id, { marketplaces: ['amazon', 'ebay'] })).passes).toBe(true);
    expect((await client.checkPicture(await cratePhoto(), { marketplaces: ['walmart'] })).passes).toBe(false);
  });
});

describe('packshot check', () => {
  it('exits with 0 if all pictures pass, with 1 if one does not, and with 2 for unknown marketplaces', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-check-'));
    const [good, bad] = [join(folder, 'good.jpg'), join(folder, 'bad.jpg')];
    await writeFile(good, await full('Listing_amazon_main'));
    await writeFile(bad, await full('Solid1_1_0035'));
    const passed = await packshot(['check', good, '--for', 'amazon,google']);
    expect(passed.code).toBe(0);
    expect(String(passed.stdout)).toContain('passes our checks; text, logos and props are not checked.');
    expect(String(passed.stdout)).toContain('not checked: ');
    const failed = await packshotProcess(['check', good, bad, '--for', 'amazon', '--json']);
    expect(failed.code).toBe(1);
    const lines = String(failed.stdout)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ passes }) => passes)).toEqual([true, false]);
    expect((await packshot(['check', join(folder, 'none.jpg'), '--for', 'amazon'])).code).toBe(1);
    expect((await packshot(['check', good, '--for', 'zalando'])).code).toBe(2);
    await rm(folder, { recursive: true });
  });
});

describe('the credits of a check', () => {
  it('are those of the checked picture, and are charged only once if that picture is also rendered', async () => {
    const made = await packshot(['keys', 'create', '--name', 'shop', '--credits', '2', '--json'], {
      env: settingsOf(service.dataDir),
    });
    const { key: secret } = JSON.parse(String(made.stdout));
    const call = (path: string, init: Parameters<Service['call']>[1] = {}) =>
      service.call(path, { ...init, key: secret });
    const uploaded = await call('/v1/design/image-upload', {
      method: 'POST',
      body: formWith(await cratePhoto({ width: 500 })),
    });
    const own = (await jsonOf(uploaded)).id;
    const recipe = { recipeId: 'Listing_amazon_main', variant: '1:1' };
    await call('/v1/design/generated.jpeg', { method: 'POST', body: JSON.stringify({ id: own, ...recipe }) });
    const checked = await call(`/v1/design/${own}/check?marketplace=amazon`);
    expect(checked.headers.get('x-credits-charged')).toBe('0');
    expect(checked.headers.get('x-credits-remaining')).toBe('1');
    const form = formWith(
      await sharp({ create: { width: 40, height: 40, channels: 3, background: 'white' } })
        .jpeg()
        .toBuffer(),
    );
    form.append('marketplace', 'ebay');
    expect((await call('/v1/checks', { method: 'POST', body: form })).status).toBe(200);
    expect((await jsonOf(call('/v1/credits'))).remaining).toBe(1);
  });
});
