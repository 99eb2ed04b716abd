import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshotProcess, printedBy } from './command.ts';
import { cratePhoto, jsonOf, pixelsOf, problemOf, type Service, startLocalService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startLocalService();
});
afterAll(() => service.stop());

/** Runs the command line on the data folder of the running service. */
const packshot = (...words: string[]) => printedBy(words, { DATA_DIR: service.dataDir });

async function writePreset(yaml: string): Promise<void> {
  const file = join(service.dataDir, 'preset.yaml');
  await writeFile(file, yaml);
  await packshot('presets', 'create', file, '--replace');
  await rm(file);
}

interface Shop {
  readonly keyId: string;
  readonly key: string;
  readonly designId: string;
}

/** Creates a key, and a design of its account. */
async function openShop(): Promise<Shop> {
  const { id: keyId, key } = JSON.parse(await packshot('keys', 'create', '--name', 'shop', '--json'));
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await cratePhoto())]), 'crate.jpg');
  const { id: designId } = await jsonOf(
    service.call('/v1/design/image-upload', { method: 'POST', key, body }),
  );
  return { keyId, key, designId };
}

const suggest = (
  { key, designId }: Pick<Shop, 'key' | 'designId'>,
  recipePreset: string,
  body: object = {},
) => service.call('/v1/design/suggest', { key, json: { id: designId, recipePreset, ...body } });

interface Suggested {
  readonly recipeId: string;
  readonly variant: string;
  readonly title: string;
  readonly mutations: { readonly background?: { readonly color: string } };
}

const plain = `
name: ACME_PLAIN
title: Acme spring
families: [solid]
palette: ["#BF6648", "#00B140"]
styles: []
ratios: [4:5, 1:1]
`;

describe('a preset that the operator creates for callers', () => {
  it("suggests those of its looks that the caller's account has saved", async () => {
    const shop = await openShop();
    const from = { recipeId: 'Surface002', variant: '1:1', mutations: { layout: { margin: 0.2 } } };
    const { id } = await jsonOf(
      service.call('/v1/looks', { key: shop.key, json: { from, title: 'On sand' } }),
    );
    await writePreset(`name: ACME_LOOKS\nlooks: [Look_${'a'.repeat(24)}, ${id}]\nstyles: []\n`);
    await packshot('presets', 'grant', 'ACME_LOOKS', '--key', shop.keyId);
    const { suggestedRecipeLists: lists } = await jsonOf(suggest(shop, 'ACME_LOOKS'));
    expect(lists).toMatchObject([
      { id: 'looks', recipes: [{ recipeId: id, variant: '1:1', title: 'On sand' }] },
    ]);
    const [recipe] = lists[0].recipes;
    const { uri, previewUri } = recipe.mutations.images.primaryIllustration;
    expect((await fetch(previewUri)).status).toBe(200);
    expect((await fetch(uri, { method: 'HEAD' })).status).toBe(200);
    const drawn = { key: shop.key, json: { id: shop.designId, ...recipe } };
    expect((await service.call('/v1/design/preview.webp', drawn)).status).toBe(200);
  });

  it('suggests its own recipes, colors and ratios to a key to which it is granted', async () => {
    await writePreset(plain);
    const shop = await openShop();
    await packshot('presets', 'grant', 'ACME_PLAIN', '--key', shop.keyId);
    const { suggestedRecipeLists: lists } = await jsonOf(suggest(shop, 'ACME_PLAIN'));
    expect(lists).toMatchObject([
      {
        title: 'Acme spring',
        recipes: [
          {
            recipeId: 'Solid4_5_0023',
            variant: '4:5',
            title: 'Terracotta',
            mutations: { background: { color: '#BF6648' } },
          },
          { recipeId: 'Solid4_5_0042', variant: '4:5', title: 'Green' },
        ],
      },
    ]);
    const square = await jsonOf(suggest(shop, 'ACME_PLAIN', { filters: { aspectRatio: '1:1' } }));
    expect(square.suggestedRecipeLists[0].recipes.map(({ variant }: Suggested) => variant)).toEqual([
      '1:1',
      '1:1',
    ]);
    const wide = await suggest(shop, 'ACME_PLAIN', { filters: { aspectRatio: '16:9' } });
    expect(await problemOf(wide)).toMatchObject({ status: 422, code: 'unknown_variant' });
  });

  it('has recipes with the exact brand color', async () => {
    await writePreset(plain);
    const shop = await openShop();
    await packshot('presets', 'grant', 'ACME_PLAIN', '--key', shop.keyId);
    const { suggestedRecipeLists: lists } = await jsonOf(suggest(shop, 'ACME_PLAIN'));
    const { recipeId, variant, mutations } = lists[0].recipes[0] as Suggested;
    const preview = await service.call('/v1/design/preview.png', {
      key: shop.key,
      json: { id: shop.designId, recipeId, variant, mutations },
    });
    const { data } = await pixelsOf(preview);
    expect([...data.subarray(0, 3)]).toEqual([0xbf, 0x66, 0x48]);
  });

  it('suggests scenes after its plain recipes, in its own styles only', async () => {
    await writePreset(
      'name: ACME_MIXED\nfamilies: [solid, surface]\nstyles: [stone, wood]\nlists: 4\nperList: 2\nratios: [1:1]\n',
    );
    const shop = await openShop();
    await packshot('presets', 'grant', 'ACME_MIXED', '--key', shop.keyId);
    const { suggestedRecipeLists: lists } = await jsonOf(suggest(shop, 'ACME_MIXED'));
    expect(lists.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual(['solid', 'surface']);
    expect(new Set(lists.slice(2).map(({ id }: { id: string }) => id))).toEqual(new Set(['stone', 'wood']));
    for (const { recipes } of lists) expect(recipes).toHaveLength(2);
  });

  it('is refused to keys to which it is not granted, and reported as unknown if it does not exist', async () => {
    await writePreset(plain);
    const shop = await openShop();
    expect(await problemOf(await suggest(shop, 'ACME_PLAIN'))).toMatchObject({
      status: 403,
      code: 'preset_not_allowed',
    });
    expect(await problemOf(await suggest(shop, 'ACME_AUTUMN'))).toMatchObject({
      status: 422,
      code: 'unknown_preset',
    });
  });

  it('is changed, revoked and removed with immediate effect', async () => {
    await writePreset(plain);
    const [shop, other] = [await openShop(), await openShop()];
    await packshot('presets', 'grant', 'ACME_PLAIN', '--key', shop.keyId, '--key', other.keyId);
    await writePreset('name: ACME_PLAIN\nrecipes: [Gradient001]\nstyles: []\n');
    const { suggestedRecipeLists: lists } = await jsonOf(suggest(shop, 'ACME_PLAIN'));
    expect(lists[0].recipes.map(({ recipeId }: Suggested) => recipeId)).toEqual(['Gradient001']);
    await packshot('presets', 'revoke', 'ACME_PLAIN', '--key', other.keyId);
    expect(await problemOf(await suggest(other, 'ACME_PLAIN'))).toMatchObject({ code: 'preset_not_allowed' });
    expect(await packshot('presets', 'remove', 'ACME_PLAIN')).toContain(shop.keyId);
    expect(await problemOf(await suggest(shop, 'ACME_PLAIN'))).toMatchObject({ code: 'unknown_preset' });
  });

  it("can be granted and revoked with the key's name instead of its id", async () => {
    await writePreset(plain);
    const { id } = JSON.parse(await packshot('keys', 'create', '--name', 'florist', '--json'));
    expect(await packshot('presets', 'grant', 'ACME_PLAIN', '--key', 'florist')).toContain(id);
    const listed = await packshotProcess(['presets', 'list'], { env: { DATA_DIR: service.dataDir } });
    expect(listed.code).toBe(0);
    expect(listed.stdout.toString()).toMatch(/^NAME +[\s\S]*ACME_PLAIN /);
    expect(await packshot('presets', 'revoke', 'ACME_PLAIN', '--key', 'florist')).toContain(id);
  });

  it('is inherited by the successor of a rotated key', async () => {
    await writePreset(plain);
    const shop = await openShop();
    await packshot('presets', 'grant', 'ACME_PLAIN', '--key', shop.keyId);
    const { id, key } = JSON.parse(await packshot('keys', 'rotate', shop.keyId, '--json'));
    for (const of of [shop.key, key]) {
      expect((await suggest({ ...shop, key: of }, 'ACME_PLAIN')).status).toBe(200);
    }
    const listed = JSON.parse(await packshot('keys', 'list', '--json'));
    expect(listed.find((one: { id: string }) => one.id === id).presets).toEqual(['ACME_PLAIN']);
  });

  it('may have any name', async () => {
    await writePreset('name: acme brand, Zürich\nfamilies: [solid]\nstyles: []\n');
    const shop = await openShop();
    const granted = await packshot('presets', 'grant', 'acme brand, Zürich', '--key', shop.keyId);
    expect(granted).toContain('acme brand, Zürich');
    expect((await suggest(shop, 'acme brand, Zürich')).status).toBe(200);
    expect(await problemOf(await suggest(shop, 'Acme brand, Zürich'))).toMatchObject({
      status: 422,
      code: 'unknown_preset',
    });
  });

  it('is stored only if all presets in its file are valid; the error names each faulty line', async () => {
    await expect(writePreset('- name: GOOD_ONE\n- name: 7\n  lists: 9\n')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 2, name: [\s\S]*line 3, lists: /),
    });
    expect(await packshot('presets', 'list')).not.toContain('GOOD_ONE');
  });
});
