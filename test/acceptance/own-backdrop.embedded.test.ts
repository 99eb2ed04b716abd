import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cratePhoto,
  findCrate,
  formWith,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
} from './service.ts';

/** A wall above a floor, both bright, like a shop's own backdrop. */
const backdropPhoto = async (format: 'jpeg' | 'webp' = 'jpeg') => {
  const floor = { create: { width: 900, height: 300, channels: 3, background: '#c9b79c' } } as const;
  const wall = { create: { width: 900, height: 900, channels: 3, background: '#dfe6ea' } } as const;
  return sharp(wall)
    .composite([{ input: await sharp(floor).png().toBuffer(), left: 0, top: 600 }])
    [format]()
    .toBuffer();
};

let service: Service;
let pictures: Server;
let host: string;
let id: string;
beforeAll(async () => {
  const backdrop = await backdropPhoto();
  pictures = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/wall.jpg' }).end();
    else if (request.url === '/poem') response.end('Roses are red');
    else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(backdrop);
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  service = await startService({
    PREVIEW_DEADLINE_MS: '60000',
    FULL_DEADLINE_MS: '60000',
    ILLUSTRATION_ALLOW: host,
  });
  id = await service.upload(await cratePhoto({ width: 640, height: 480 }));
});
afterAll(async () => {
  await service.stop();
  pictures.close();
});

interface Illustration {
  readonly uri: string;
  readonly previewUri: string;
  readonly source: string;
}

const bring = async (picture: Buffer, key?: string): Promise<Response> =>
  service.call('/v1/illustrations', { method: 'POST', body: formWith(picture), ...(key && { key }) });
const render = (primaryIllustration: object, more: object = {}, mutations: object = {}) =>
  service.call('/v1/design/preview.png', {
    json: {
      id,
      recipeId: 'Studio001',
      variant: '1:1',
      mutations: { images: { primaryIllustration }, ...mutations },
      ...more,
    },
  });

type Pixels = Awaited<ReturnType<typeof pixelsOf>>;
const pixelAt = ({ data, width, height, channels }: Pixels, u: number, v: number): number[] => {
  const at = channels * (Math.floor(v * height) * width + Math.floor(u * width));
  return [...data.subarray(at, at + 3)];
};
/** The lowest row whose middle pixel shows the crate, as a share of the height; 0 if there is none. */
function footOf({ data, width, height, channels }: Pixels): number {
  for (let y = height - 1; y >= 0; y--) {
    const at = channels * (y * width + Math.floor(width / 2));
    if (Math.abs(data[at]! - 0x7a) + Math.abs(data[at + 1]! - 0x1f) + Math.abs(data[at + 2]! - 0x1f) < 30) {
      return y / height;
    }
  }
  return 0;
}

describe('POST /v1/illustrations', () => {
  it("accepts a caller's backdrop and returns a value for mutations", async () => {
    const response = await bring(await backdropPhoto());
    expect(response.status).toBe(200);
    const illustration: Illustration = await jsonOf(response);
    expect(Object.keys(illustration).sort()).toEqual(['previewUri', 'source', 'uri']);
    expect(illustration.source).toBe('UPLOAD');
    for (const uri of [illustration.uri, illustration.previewUri]) {
      const shown = await fetch(uri);
      expect(shown.headers.get('content-type')).toBe('image/webp');
      expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ format: 'webp' });
    }
    const picture = await pixelsOf(await render(illustration));
    const [wall, floor] = [pixelAt(picture, 0.05, 0.1), pixelAt(picture, 0.05, 0.95)];
    expect(wall[2]!).toBeGreaterThan(wall[0]!);
    expect(floor[0]!).toBeGreaterThan(floor[2]!);
    expect(footOf(picture)).toBeGreaterThan(0.5);
  });

  it('gives the product a shadow, which the caller may disable', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto('webp')));
    const grounded = await pixelsOf(await render(illustration));
    const bare = await pixelsOf(await render(illustration, {}, { shadow: { kind: 'none' } }));
    const below = footOf(grounded) + 0.006;
    expect(pixelAt(grounded, 0.5, below)[0]!).toBeLessThan(0.9 * pixelAt(bare, 0.5, below)[0]!);
    expect(pixelAt(grounded, 0.03, 0.05)).toEqual(pixelAt(bare, 0.03, 0.05));
  });

  it('accepts a backdrop that works for every design of the account and in every ratio', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto()));
    const other = await service.upload(await cratePhoto());
    for (const variant of ['16:9', '9:16']) {
      const answer = await render(illustration, { id: other, variant });
      expect(answer.status, variant).toBe(200);
    }
  });

  it('accepts a backdrop on which the product is positioned, scaled and rotated as requested', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto()));
    const layout = { x: 0.7, y: 0.4, scale: 0.5 };
    const placed = findCrate(await pixelsOf(await render(illustration, {}, { layout })));
    expect(placed.x).toBeCloseTo(0.7, 1.7);
    expect(placed.y).toBeCloseTo(0.4, 1.7);
    const turned = await render(illustration, {}, { layout: { ...layout, rotate: 90 } });
    const upright = findCrate(await pixelsOf(turned));
    expect(upright.height / upright.width).toBeCloseTo(placed.width / placed.height, 0.7);
    const shrunk = await render(illustration, {}, { layout, edge: { shrinkPx: 4 } });
    expect(findCrate(await pixelsOf(shrunk)).pixels).toBeLessThan(placed.pixels);
  });

  it('stores a backdrop; renders with it refuse the mutation `background`, and name the field', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto()));
    const problem = await problemOf(await render(illustration, {}, { background: { color: '#ff0000' } }));
    expect(problem).toMatchObject({ status: 422, code: 'invalid_mutation' });
    expect(problem.errors).toMatchObject([{ pointer: '/mutations/background' }]);
  });

  it('stores a backdrop; renders with it refuse the mutation `match`, and name the field', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto()));
    const problem = await problemOf(await render(illustration, {}, { match: 'light' }));
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer: '/mutations/match' }] });
  });

  it('refuses a file that is not a picture, and a form without a file', async () => {
    expect(await problemOf(await bring(Buffer.from('Roses are red')))).toMatchObject({ status: 415 });
    const empty = service.call('/v1/illustrations', { method: 'POST', body: new FormData() });
    expect(await problemOf(await empty)).toMatchObject({ status: 400, code: 'missing_file' });
  });

  it('stores a backdrop until it is deleted by its URI; then neither browsers nor renders get it', async () => {
    const illustration: Illustration = await jsonOf(bring(await backdropPhoto()));
    const { pathname } = new URL(illustration.uri);
    expect((await service.call(pathname, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(illustration.uri)).status).toBe(404);
    expect(await problemOf(await render(illustration))).toMatchObject({ code: 'mutation_uri_rejected' });
    expect(await problemOf(await service.call(pathname, { method: 'DELETE' }))).toMatchObject({
      status: 404,
      code: 'illustration_not_found',
    });
  });
});

describe('a brand', () => {
  const logoPicture = (background: string) =>
    sharp({ create: { width: 400, height: 100, channels: 4, background } })
      .png()
      .toBuffer();
  const draw = (json: object) =>
    service.call('/v1/design/preview.png', { json: { id, variant: '1:1', ...json } });

  it('keeps its backdrop and logo as a look, which is named, renamed and used for every design', async () => {
    const backdrop: Illustration = await jsonOf(bring(await backdropPhoto()));
    const mark: Illustration = await jsonOf(bring(await logoPicture('#00ff00')));
    const mutations = {
      images: { primaryIllustration: backdrop },
      layout: { scale: 0.6 },
      logo: { uri: mark.uri, corner: 'top-left', size: 0.25 },
    };
    const keep = async (from: object, title?: string) =>
      jsonOf(await service.call('/v1/looks', { json: { from, title } }));
    const look = await keep({ recipeId: 'Studio001', variant: '1:1', mutations }, 'Spring');
    expect(look).toMatchObject({ kind: 'backdrop', title: 'Spring' });
    expect(look.variants).toContain('9:16');
    expect((await fetch(look.previewUri)).headers.get('content-type')).toBe('image/webp');

    const etags = await Promise.all(
      ['1:1', '9:16'].map(async (variant) =>
        (await draw({ recipeId: look.id, variant })).headers.get('etag'),
      ),
    );
    expect(etags[0]).not.toBe(etags[1]);

    const other = await service.upload(await cratePhoto());
    const picture = await pixelsOf(await draw({ id: other, recipeId: look.id }));
    // 0.04 from the edges, 0.25 wide, and as high as its own shape makes it.
    expect(pixelAt(picture, 0.06, 0.06)).toEqual([0, 255, 0]);
    expect(pixelAt(picture, 0.27, 0.09)).toEqual([0, 255, 0]);
    for (const [u, v] of [
      [0.02, 0.06],
      [0.31, 0.06],
      [0.06, 0.12],
    ] as const)
      expect(pixelAt(picture, u, v)[0]).toBeGreaterThan(100);
    const once = await pixelsOf(
      await draw({ recipeId: look.id, mutations: { logo: { uri: mark.uri, corner: 'bottom-right' } } }),
    );
    expect(pixelAt(once, 0.94, 0.94)).toEqual([0, 255, 0]);

    const { from } = await jsonOf(await service.call(`/v1/looks/${look.id}`));
    expect(await keep(from, 'Autumn')).toMatchObject({ id: look.id, title: 'Autumn' });
  });

  it('keeps its logo off the main images of marketplaces, and takes no logo of others', async () => {
    const { uri }: Illustration = await jsonOf(bring(await logoPicture('#00ff0080')));
    const listing = { recipeId: 'Listing_amazon_main', mutations: { logo: { uri } } };
    expect(await problemOf(await draw(listing))).toMatchObject({
      code: 'invalid_mutation',
      errors: [{ pointer: '/mutations/logo' }],
    });
    for (const wrong of [uri.replace('bdp_', 'bdp_9'), `http://${host}/wall.jpg`]) {
      const white = { recipeId: 'Solid1_1_0035', mutations: { logo: { uri: wrong } } };
      expect(await problemOf(await draw(white))).toMatchObject({
        code: 'mutation_uri_rejected',
        errors: [{ pointer: '/mutations/logo/uri' }],
      });
    }
    const glass = { recipeId: 'Transp001', mutations: { logo: { uri } } };
    const cut = await pixelsOf(await draw(glass));
    expect(pixelAt(cut, 0.94, 0.94)).toEqual([0, 255, 0]);
    expect(cut.data[4 * (Math.floor(0.94 * cut.height) * cut.width + Math.floor(0.94 * cut.width)) + 3]).toBe(
      128,
    );
  });
});

describe("another host's picture", () => {
  it('is accepted if the operator lists the host', async () => {
    const picture = await pixelsOf(await render({ uri: `http://${host}/wall.jpg`, source: 'WEB' }));
    expect(footOf(picture)).toBeGreaterThan(0.5);
  });

  it.each([
    ['a host that is not listed', () => 'https://example.com/wall.jpg', 'mutation_uri_rejected'],
    ['the listed host on another port', () => 'http://127.0.0.1:1/wall.jpg', 'mutation_uri_rejected'],
    ['a file', () => 'file:///etc/passwd', 'mutation_uri_rejected'],
    ['a text that is not a URI', () => 'wall.jpg', 'mutation_uri_rejected'],
    ['a redirect', () => `http://${host}/moved`, 'source_fetch_failed'],
    ['a file that is not a picture', () => `http://${host}/poem`, 'unsupported_image_format'],
  ])('is refused: %s', async (_, uri, code) => {
    expect(await problemOf(await render({ uri: uri() }))).toMatchObject({
      code,
      errors: [{ pointer: '/mutations/images/primaryIllustration' }],
    });
  });

  it('is refused if the host of its preview is not listed, even if the preview is not used', async () => {
    const uri = `http://${host}/wall.jpg`;
    const problem = await problemOf(await render({ uri, previewUri: 'https://example.com/wall.jpg' }));
    expect(problem).toMatchObject({ status: 422, code: 'mutation_uri_rejected' });
  });
});
