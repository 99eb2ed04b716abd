import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, formWith, jsonOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
beforeAll(async () => {
  service = await startService();
  photo = await cratePhoto({ width: 400, height: 300 });
});
afterAll(() => service.stop());

async function kindOf(name: string, hint?: string) {
  const form = formWith(photo, 'file', name);
  if (hint !== undefined) form.append('productKind', hint);
  const { id, productKind } = await jsonOf(
    service.call('/v1/design/image-upload', { method: 'POST', body: form }),
  );
  expect(productKind).toBeNull();
  const design = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
  return { id, ...design.productKind };
}

describe('the kind of product', () => {
  it('is reported once the cutout is ready, from its outline alone if there is no other hint', async () => {
    expect(await kindOf('IMG_2041.jpg')).toMatchObject({
      kind: expect.any(String),
      staging: expect.any(String),
      confidence: expect.any(Number),
      because: expect.stringMatching(/outline|neither/),
    });
  });

  it('is read from the name of the file', async () => {
    expect(await kindOf('blue-travel-mug.jpg')).toMatchObject({
      kind: 'Home & Garden',
      because: 'the file is named after it',
    });
  });

  it("is what the uploader's productKind says, unless that word is unknown", async () => {
    expect(await kindOf('blue-travel-mug.jpg', 'shoes')).toMatchObject({
      kind: 'Apparel & Accessories',
      confidence: 1,
    });
    expect(await kindOf('blue-travel-mug.jpg', 'qwertz')).toMatchObject({ kind: 'Home & Garden' });
  });

  it('may be given with a request for suggestions, and then changes the scenes', async () => {
    const { id } = await kindOf('IMG_2041.jpg');
    const titles = async (productKind?: string) => {
      const answer = await jsonOf(
        service.call('/v1/design/suggest', {
          json: { id, recipePreset: 'AI_STUDIO', ...(productKind && { productKind }) },
        }),
      );
      return answer.suggestedRecipeLists.flatMap((list: { recipes: { title: string }[] }) =>
        list.recipes.map(({ title }) => title),
      );
    };
    expect(await titles('sofa')).not.toEqual(await titles('perfume'));
  });
});
