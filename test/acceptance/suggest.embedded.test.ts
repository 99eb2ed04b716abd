import SqliteDatabase from 'better-sqlite3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cratePhoto,
  findCrate,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
  white,
} from './service.ts';

let service: Service;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = await service.upload(await cratePhoto({ width: 640, height: 480 }));
});
afterAll(() => service.stop());

const suggest = (body: object = {}) =>
  service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO', ...body } });

interface Recipe {
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations: {
    images: { primaryIllustration: { uri: string; previewUri: string; source: string } };
  };
}

async function firstRecipe(body: object = {}): Promise<Recipe> {
  const { suggestedRecipeLists } = await jsonOf(suggest(body));
  return suggestedRecipeLists[0].recipes[0];
}

describe('POST /v1/design/suggest', () => {
  it('returns lists of scenes in the requested ratio, no two alike', async () => {
    const response = await suggest({
      filters: { aspectRatio: '4:5' },
      prompt: 'white marble podium with laptop and zebra',
    });
    expect(response.status).toBe(200);
    const { suggestedRecipeLists: lists, prompt } = await jsonOf(response);
    expect(lists.length).toBeGreaterThanOrEqual(2);
    const recipes: Recipe[] = lists.flatMap((list: { recipes: Recipe[] }) => list.recipes);
    for (const list of lists) {
      expect(list.title).toMatch(/\w/);
      expect(list.recipes.length).toBeGreaterThanOrEqual(4);
    }
    for (const { recipeId, variant, mutations } of recipes) {
      expect([recipeId, variant]).toEqual(['Studio001', '4:5']);
      expect(mutations.images.primaryIllustration).toMatchObject({
        uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/illustrations\/ill_/),
        previewUri: expect.stringContaining('-preview.webp'),
        source: 'WEB',
      });
    }
    expect(new Set(recipes.map(({ mutations }) => mutations.images.primaryIllustration.uri)).size).toBe(
      recipes.length,
    );
    expect(prompt).toMatchObject({
      understood: ['white', 'marble', 'podium'],
      ignored: ['laptop', 'zebra'],
      notShown: [
        { words: 'laptop', reason: 'not_drawable' },
        { words: 'zebra', reason: 'unknown_word' },
      ],
      readBy: 'rules',
    });
    expect(prompt.used).toContainEqual({ words: ['marble'], effect: expect.stringMatching(/^marble/) });
  });

  it('plans a photographed place if the prompt requests one, and the picture shows that place', async () => {
    const { suggestedRecipeLists: lists, prompt } = await jsonOf(
      suggest({ prompt: 'on a wooden table in a sunny park, full of people' }),
    );
    expect(lists[0]).toMatchObject({
      id: 'words',
      recipes: [{ title: expect.stringMatching(/sunny meadow/) }, {}, {}, {}],
    });
    expect(prompt.used).toContainEqual({ words: ['sunny park'], effect: 'meadow' });
    expect(prompt.notShown).toContainEqual({ words: 'people', reason: 'not_drawable' });
    const { recipeId, variant, mutations } = lists[0].recipes[0];
    const draw = async () =>
      pixelsOf(await service.call('/v1/design/preview.png', { json: { id, recipeId, variant, mutations } }));
    const picture = await draw();
    expect(findCrate(picture).pixels).toBeGreaterThan(0.05);
    // Means of whole strips: the scene's random seed changes the grain and the light at single pixels.
    const rowBytes = picture.width * picture.channels;
    const meanColor = (firstRow: number) =>
      sharp(picture.data.subarray(firstRow * rowBytes, (firstRow + 40) * rowBytes), {
        raw: { width: picture.width, height: 40, channels: picture.channels },
      })
        .stats()
        .then(({ channels }) => channels.map(({ mean }) => mean));
    const [skyRed, , skyBlue] = await meanColor(0);
    expect(skyBlue!).toBeGreaterThan(skyRed! + 8);
    const [woodRed, , woodBlue] = await meanColor(picture.height - 40);
    expect(woodRed!).toBeGreaterThan(woodBlue! + 15);
    expect(Buffer.compare((await draw()).data, picture.data)).toBe(0);
  });

  it('suggests real places beside the scenes picked for the product', async () => {
    const { suggestedRecipeLists: lists } = await jsonOf(suggest());
    expect(lists.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      ['picked', 'Picked for your product'],
      ['places', 'In a real place'],
    ]);
  });

  it('neither shows a sofa nor takes the product for one if the prompt says "next to a sofa"', async () => {
    const { prompt, suggestedRecipeLists } = await jsonOf(suggest({ prompt: 'next to a sofa' }));
    expect(prompt).toMatchObject({ understood: [], ignored: ['sofa'] });
    const plain = await jsonOf(suggest());
    const kinds = (lists: { id: string }[]) => lists.map(({ id }) => id);
    // Furniture would get different lists.
    expect(kinds(suggestedRecipeLists)).toEqual(kinds(plain.suggestedRecipeLists));
  });

  it('returns the same scenes for the same request', async () => {
    const paths = async () => (await firstRecipe()).mutations.images.primaryIllustration.uri.split('?')[0];
    expect(await paths()).toBe(await paths());
  });

  it.each([
    ['a missing preset', { recipePreset: undefined }, 400, 'missing_field'],
    ['an unknown preset', { recipePreset: 'NOBODYS' }, 422, 'unknown_preset'],
    ['an unknown ratio', { filters: { aspectRatio: '7:7' } }, 422, 'unknown_variant'],
    ['an unknown filter', { filters: { color: 'red' } }, 400, 'unknown_field'],
    ['a prompt that is too long', { prompt: 'x'.repeat(1001) }, 400, 'invalid_field'],
    ['an unknown design', { id: 'dsg_0000000000000000000000' }, 404, 'design_not_found'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await problemOf(await suggest(body))).toMatchObject({ status, code });
  });
});

describe('an illustration', () => {
  it('opens in a browser, without a key, and stays the same', async () => {
    const { previewUri } = (await firstRecipe()).mutations.images.primaryIllustration;
    const first = await fetch(previewUri);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('image/webp');
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 640, height: 640 });
    expect(Buffer.from(await (await fetch(previewUri)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('is rendered for GET but not for HEAD, which returns only the headers', async () => {
    const { uri } = (await firstRecipe({ filters: { aspectRatio: '9:16' } })).mutations.images
      .primaryIllustration;
    const head = await fetch(uri, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('image/webp');
    // The length and the steps are known only once the illustration has been rendered.
    expect([head.headers.get('content-length'), head.headers.get('server-timing')]).toEqual([null, null]);
    const altered = await fetch(uri.replace(/\?.*/, '?e=1&s=x'), { method: 'HEAD' });
    expect(altered.status).toBe(404);
    const etag = head.headers.get('etag')!;
    expect((await fetch(uri, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('is refused when its URI was altered', async () => {
    const { uri, previewUri } = (await firstRecipe()).mutations.images.primaryIllustration;
    const last = uri.at(-1) === 'A' ? 'B' : 'A';
    for (const altered of [
      uri.slice(0, -1) + last,
      uri.replace(/e=\d+/, 'e=99999999999'),
      previewUri.replace('-preview', ''),
      uri.split('?')[0]!,
    ]) {
      expect(await problemOf(await fetch(altered)), altered).toMatchObject({ status: 404 });
    }
  });

  it('becomes a picture with the product in it', async () => {
    const { recipeId, variant, mutations } = await firstRecipe();
    const preview = await service.call('/v1/design/preview.png', {
      json: { id, recipeId, variant, mutations },
    });
    const picture = await pixelsOf(preview);
    expect([picture.width, picture.height]).toEqual([640, 640]);
    expect(findCrate(picture).pixels).toBeGreaterThan(0.05);
  });

  it('places, scales, rotates and shades the product as requested', async () => {
    const { recipeId, variant, mutations } = await firstRecipe();
    const render = (more: object) =>
      service.call('/v1/design/preview.png', {
        json: { id, recipeId, variant, mutations: { ...mutations, ...more } },
      });
    const asSuggested = await render({});
    const placed = await render({ layout: { x: 0.3, y: 0.6, scale: 0.4 } });
    expect(placed.headers.get('etag')).not.toBe(asSuggested.headers.get('etag'));
    const picture = await pixelsOf(asSuggested);
    const crate = findCrate(picture);
    const moved = findCrate(await pixelsOf(placed));
    expect(moved.x).toBeCloseTo(0.3, 1.7);
    expect(moved.y).toBeCloseTo(0.6, 1.7);
    // The crate's width is 0.4 of the space inside a margin of 14% of the picture.
    expect(moved.width).toBeCloseTo(0.4 * 0.72, 1.7);
    const turned = findCrate(await pixelsOf(await render({ layout: { rotate: 90 } })));
    expect(turned.height / turned.width).toBeCloseTo(crate.width / crate.height, 0.7);
    const below = (image: typeof picture, offset: number) => {
      const row = Math.round((crate.y + crate.height / 2 + offset) * image.height);
      const at = image.channels * (row * image.width + Math.round(crate.x * image.width));
      return image.data[at]! + image.data[at + 1]! + image.data[at + 2]!;
    };
    const bare = await pixelsOf(await render({ shadow: { kind: 'none' } }));
    const weak = await pixelsOf(await render({ shadow: { strength: 0.5 } }));
    expect(below(picture, 0.006)).toBeLessThan(below(weak, 0.006));
    expect(below(weak, 0.006)).toBeLessThan(below(bare, 0.006));
    const shrunk = findCrate(await pixelsOf(await render({ edge: { shrinkPx: 4 } })));
    expect(shrunk.pixels).toBeLessThan(crate.pixels);
  });

  it('leaves the product unchanged, unless the call asks to grade it to the light of the scene', async () => {
    const { recipeId, variant, mutations } = await firstRecipe();
    const render = (more: object, headers = {}) =>
      service.call('/v1/design/preview.png', {
        json: { id, recipeId, variant, mutations: { ...mutations, ...more } },
        headers,
      });
    const [plain, none, graded] = [
      await render({}),
      await render({ match: 'none' }),
      await render({ match: 'light' }),
    ];
    const etag = graded.headers.get('etag')!;
    expect(none.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(etag).not.toBe(plain.headers.get('etag'));
    expect((await render({ match: 'light' }, { 'if-none-match': etag })).status).toBe(304);
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
    const [own, same, lit] = [await bytesOf(plain), await bytesOf(none), await bytesOf(graded)];
    expect(same.equals(own)).toBe(true);
    expect(String((await sharp(own).metadata()).xmp)).not.toContain('mutations.match');
    expect(String((await sharp(lit).metadata()).xmp)).toContain('mutations.match: light');
    const [before, after] = [await sharp(own).raw().toBuffer(), await sharp(lit).raw().toBuffer()];
    // The top rows, which show only the set, are the same.
    expect(after.subarray(0, 3 * 640 * 20).equals(before.subarray(0, 3 * 640 * 20))).toBe(true);
    expect(after.equals(before)).toBe(false);
  });

  it('is needed to match the light: a plain recipe, which has no light, is refused', async () => {
    const answer = service.call('/v1/design/preview.webp', {
      json: { id, recipeId: 'Solid1_1_0035', variant: '1:1', mutations: { match: 'light' } },
    });
    expect(await problemOf(await answer)).toMatchObject({
      status: 422,
      code: 'invalid_mutation',
      errors: [{ pointer: '/mutations/match', detail: expect.stringContaining('suggest') }],
    });
  });

  it('has no backdrop color to change, as the error explains', async () => {
    const { recipeId, variant, mutations } = await firstRecipe();
    const answer = service.call('/v1/design/preview.webp', {
      json: { id, recipeId, variant, mutations: { ...mutations, background: { color: '#ff0000' } } },
    });
    expect(await problemOf(await answer)).toMatchObject({
      status: 422,
      code: 'invalid_mutation',
      errors: [{ pointer: '/mutations/background', detail: expect.stringContaining('prompt') }],
    });
  });

  it('is refused for another design, a plain recipe and another variant, and cannot be left out', async () => {
    const { recipeId, variant, mutations } = await firstRecipe();
    const other = await service.upload(await cratePhoto());
    const render = (body: object) =>
      service.call('/v1/design/preview.webp', { json: { id, recipeId, variant, mutations, ...body } });
    expect(await problemOf(await render({ id: other }))).toMatchObject({
      status: 422,
      code: 'mutation_uri_rejected',
    });
    expect(await problemOf(await render(white))).toMatchObject({
      status: 422,
      code: 'mutation_uri_rejected',
    });
    expect(await problemOf(await render({ mutations: undefined }))).toMatchObject({
      status: 422,
      code: 'invalid_mutation',
    });
    expect(await problemOf(await render({ variant: '4:5' }))).toMatchObject({
      status: 422,
      code: 'invalid_mutation',
    });
    expect(await problemOf(await render({ variant: '7:7' }))).toMatchObject({
      status: 422,
      code: 'unknown_variant',
    });
  });

  it('is deleted with its design', async () => {
    const doomed = await service.upload(await cratePhoto());
    const { suggestedRecipeLists } = await jsonOf(suggest({ id: doomed }));
    const { uri } = suggestedRecipeLists[0].recipes[0].mutations.images.primaryIllustration;
    expect((await service.call(`/v1/design/${doomed}`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(uri)).status).toBe(404);
  });

  it('tells that an illustration was dropped for newer ones, rather than that it was altered', async () => {
    const { recipeId, variant, mutations } = await firstRecipe({ prompt: 'oak table' });
    const { uri } = mutations.images.primaryIllustration;
    const database = new SqliteDatabase(`${service.dataDir}/packshot.db`);
    // As `keepIllustrations` does once a design has 200 newer illustrations.
    database.prepare('delete from illustrations where id = ?').run(/ill_[0-9a-f]+/.exec(uri)![0]);
    database.close();
    const json = { id, recipeId, variant, mutations };
    expect(await problemOf(await service.call('/v1/design/preview.webp', { json }))).toMatchObject({
      status: 409,
      code: 'illustration_dropped',
    });
  });

  it('tells that a scene comes from a version whose scenes can no longer be drawn', async () => {
    const { recipeId, variant, mutations } = await firstRecipe({ prompt: 'marble podium' });
    const { uri } = mutations.images.primaryIllustration;
    const database = new SqliteDatabase(`${service.dataDir}/packshot.db`);
    const illustration = /ill_[0-9a-f]+/.exec(uri)![0];
    database.prepare('update illustrations set plan = ? where id = ?').run('{"version":0}', illustration);
    database.close();
    const json = { id, recipeId, variant, mutations };
    const outdated = { status: 410, code: 'scene_outdated' };
    expect(await problemOf(await service.call('/v1/design/preview.webp', { json }))).toMatchObject(outdated);
    expect(await problemOf(await fetch(uri))).toMatchObject(outdated);
  });
});
