import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cratePhoto,
  formWith,
  isScaled,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
} from './service.ts';

interface Look {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly variants: readonly string[];
  readonly previewUri: string;
}

let service: Service;
let crate: string;
let wide: string;
beforeAll(async () => {
  service = await startService({ DRAW_AHEAD: 'off' });
  crate = await service.upload(await cratePhoto({ width: 480, height: 480 }));
  wide = await service.upload(await cratePhoto({ width: 900, height: 400 }));
});
afterAll(() => service.stop());

const keep = (from: object, title?: string) => service.call('/v1/looks', { json: { from, title } });
const kept = async (from: object, title?: string) => {
  const response = await keep(from, title);
  expect(response.status).toBe(201);
  return jsonOf(response) as Promise<Look>;
};
const render = (id: string, recipeId: string, more: object = {}) =>
  service.call('/v1/design/preview.png', { json: { id, recipeId, variant: '1:1', ...more } });
const suggestFirst = async () => {
  const response = await service.call('/v1/design/suggest', {
    json: { id: crate, recipePreset: 'AI_STUDIO', prompt: 'sage wall, marble podium' },
  });
  const { suggestedRecipeLists } = await jsonOf(response);
  return suggestedRecipeLists[0]!.recipes[0]!;
};

/** First and last row with pixels of the red crate, as fractions of the picture's height. */
const rowsOf = async (response: Response): Promise<{ top: number; foot: number }> => {
  expect(response.status).toBe(200);
  const { data, width, height, channels } = await pixelsOf(response);
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    let count = 0;
    for (let x = 0; x < width; x++) {
      const at = channels * (y * width + x);
      if (data[at]! > 90 && data[at + 1]! < 60 && data[at + 2]! < 60) count++;
    }
    if (count > 20) rows.push(y);
  }
  return { top: rows[0]! / height, foot: rows.at(-1)! / height };
};

describe('looks', () => {
  it('keep a suggested scene, and place other products in it on the same baseline', async () => {
    const { mutations } = await suggestFirst();
    const { uri } = mutations.images.primaryIllustration;
    const look = await kept({ uri });
    expect(look).toMatchObject({ id: expect.stringMatching(/^Look_[0-9a-f]{24}$/), kind: 'scene' });
    expect(look.title).toMatch(/sage|marble/i);
    expect((await kept({ uri }, 'Sage')).id).toBe(look.id);

    const [one, other] = [
      await rowsOf(await render(crate, look.id)),
      await rowsOf(await render(wide, look.id)),
    ];
    expect(Math.abs(one.foot - other.foot)).toBeLessThan(0.012);
    expect(one.top).toBeLessThan(other.top);

    const first = await render(crate, look.id);
    const again = await service.call('/v1/design/preview.png', {
      json: { id: crate, recipeId: look.id, variant: '1:1' },
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect(again.status).toBe(304);

    const uri640 = look.previewUri.slice(service.url.length);
    const shown = await service.call(uri640, { key: null });
    expect(shown.status).toBe(200);
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({ width: 640 });
    expect((await service.call(uri640.replace('-preview', ''), { key: null })).status).toBe(404);
    const own = { images: { primaryIllustration: { uri: look.previewUri } } };
    expect((await render(crate, look.id, { mutations: own })).headers.get('etag')).toBe(
      first.headers.get('etag'),
    );

    const tall = await rowsOf(await render(crate, look.id, { variant: '4:5' }));
    expect(tall.foot).toBeCloseTo(one.foot, 1);

    const list = await jsonOf(await service.call('/v1/looks'));
    expect(list.looks).toEqual([{ ...look, title: 'Sage' }]);
  });

  // Skipped with several processes (`scaled`): a worker draws the same pixels as a service with a single process.
  it.skipIf(isScaled)(
    'place clothes with their hem on the same baseline as other products, with the warning `adapted_to_look`',
    async () => {
      const { mutations } = await suggestFirst();
      const look = await kept({ uri: mutations.images.primaryIllustration.uri });
      const form = formWith(await cratePhoto({ width: 480, height: 480 }), 'file', 'red-tshirt.jpg');
      const uploaded = await service.call('/v1/design/image-upload', { method: 'POST', body: form });
      const { id } = await jsonOf(uploaded);
      const worn = await render(id, look.id);
      expect(worn.headers.get('x-packshot-notice')).toContain('adapted_to_look');
      const other = await render(crate, look.id);
      expect(other.headers.get('x-packshot-notice') ?? '').not.toContain('adapted_to_look');
      const [shirt, box] = [await rowsOf(worn), await rowsOf(other)];
      expect(Math.abs(shirt.foot - box.foot)).toBeLessThan(0.012);
    },
  );

  it('outlive the design that they were made from, and keep their id if their `from` is saved again', async () => {
    const made = await service.upload(await cratePhoto({ width: 500, height: 420 }));
    const suggested = await service.call('/v1/design/suggest', {
      json: { id: made, recipePreset: 'AI_STUDIO' },
    });
    const { suggestedRecipeLists } = await jsonOf(suggested);
    const look = await kept(suggestedRecipeLists[0]!.recipes[1]!);
    await service.call(`/v1/design/${made}`, { method: 'DELETE' });
    expect((await render(crate, look.id)).status).toBe(200);

    const { from } = await jsonOf(await service.call(`/v1/looks/${look.id}`));
    expect((await kept(from)).id).toBe(look.id);
    expect((await service.call(`/v1/looks/${look.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await problemOf(await service.call(`/v1/looks/${look.id}`))).code).toBe('unknown_look');
    expect((await problemOf(await service.call(`/v1/looks/${look.id}`, { method: 'DELETE' }))).code).toBe(
      'unknown_look',
    );
    expect((await problemOf(await render(crate, look.id))).code).toBe('unknown_recipe');
  });

  // Skipped with several processes (`scaled`): a worker draws the same pixels as a service with a single process.
  it.skipIf(isScaled)(
    'saved with `match: light` grade every product to the light of the scene, unless a call sets `match: none`',
    async () => {
      const made = await service.call('/v1/design/suggest', {
        json: { id: crate, recipePreset: 'AI_STUDIO' },
      });
      const { suggestedRecipeLists } = await jsonOf(made);
      const { title: _, ...scene } = suggestedRecipeLists[0]!.recipes[0]!;
      const plain = await kept(scene);
      const look = await kept({ ...scene, mutations: { ...scene.mutations, match: 'light' } });
      expect(look.id).not.toBe(plain.id);
      const { from } = await jsonOf(await service.call(`/v1/looks/${look.id}`));
      expect(from).toMatchObject({ mutations: { match: 'light' } });
      const bytes = async (id: string, mutations?: object) =>
        Buffer.from(await (await render(wide, id, { ...(mutations && { mutations }) })).arrayBuffer());
      const own = await bytes(plain.id);
      const graded = await bytes(look.id);
      expect(graded.equals(own)).toBe(false);
      expect(await bytes(look.id, { match: 'none' })).toEqual(own);
      expect(await bytes(plain.id, { match: 'light' })).toEqual(graded);
      for (const { id } of [plain, look]) await service.call(`/v1/looks/${id}`, { method: 'DELETE' });
    },
  );

  it('keep the margin, baseline and shadow of a plain recipe, in each of its ratios', async () => {
    const look = await kept({
      recipeId: 'Solid1_1_0035',
      variant: '1:1',
      mutations: { layout: { margin: 0.15 }, shadow: { kind: 'contact' } },
    });
    expect(look).toMatchObject({ kind: 'plain', title: 'White' });
    expect(look.variants).toContain('4:5');
    const [one, other] = [
      await rowsOf(await render(crate, look.id)),
      await rowsOf(await render(wide, look.id)),
    ];
    expect(Math.abs(one.foot - other.foot)).toBeLessThan(0.006);
    expect(one.top).toBeGreaterThan(0.15);
    const tall = await render(crate, look.id, { variant: '4:5' });
    expect(await sharp(Buffer.from(await tall.arrayBuffer())).metadata()).toMatchObject({
      width: 512,
      height: 640,
    });
    const centered = await rowsOf(
      await render(crate, look.id, { mutations: { layout: { align: 'center' } } }),
    );
    expect((centered.top + centered.foot) / 2).toBeCloseTo(0.5, 2);

    const batch = await service.call('/v1/jobs', {
      json: { items: [{ id: crate, recipeId: look.id, variant: '1:1' }] },
    });
    const { id } = await jsonOf(batch);
    await expect
      .poll(async () => (await jsonOf(await service.call(`/v1/jobs/${id}`))).counts, {
        timeout: 30_000,
      })
      .toMatchObject({ done: 1 });
    const check = await service.call(`/v1/design/${crate}/check?marketplace=shopify&recipeId=${look.id}`);
    expect(check.status).toBe(200);
  });

  it('refuse invalid sources and renders, with the reason', async () => {
    const refused = async (from: object) => {
      const { code, errors } = await problemOf(await keep(from));
      return [code, errors?.[0]?.pointer];
    };
    expect(await refused({ uri: 'https://example.com/x.webp' })).toEqual([
      'mutation_uri_rejected',
      '/from/uri',
    ]);
    expect(await refused({ recipeId: 'Nobody', variant: '1:1' })).toEqual(['unknown_recipe', '/recipeId']);
    expect(await refused({ plan: { version: 1 } })).toEqual([
      'invalid_field',
      expect.stringMatching(/^\/from\/plan\//),
    ]);
    expect((await problemOf(await keep({}))).status).toBe(400);
    const look = await kept({ recipeId: 'Gradient001', variant: '1:1' });
    expect(await refused({ recipeId: look.id, variant: '1:1' })).toEqual(['invalid_field', '/from/recipeId']);
    expect((await problemOf(await render(crate, look.id, { variant: '7:9' }))).code).toBe('unknown_variant');
    const images = { primaryIllustration: { uri: 'https://example.com/x.webp' } };
    expect((await problemOf(await render(crate, look.id, { mutations: { images } }))).code).toBe(
      'invalid_mutation',
    );
  });

  it('are limited for an account', async () => {
    const { looks: earlier } = await jsonOf(await service.call('/v1/looks'));
    const { recipes } = await jsonOf(await service.call('/v1/recipes'));
    const solids: { id: string; variants: string[] }[] = recipes.filter(({ id }: { id: string }) =>
      id.startsWith('Solid'),
    );
    let made = earlier.length;
    for (const { id, variants } of solids) {
      const response = await keep({ recipeId: id, variant: variants[0] });
      if (response.status !== 201) {
        expect((await problemOf(response)).code).toBe('too_many_looks');
        break;
      }
      made++;
    }
    expect(made).toBe(100);
  });
});
